"""What the page and the server say to each other: typed, versioned, in one place.

Everything said travels over one WebSocket. Words are JSON texts, one message each, with a `type`. Numbers
that come by the thousand are binary: the shape of the world once (`GEOMETRY`), then its positions
frame by frame (`FRAME`). `web/src/protocol.ts` is generated from this file by
`scripts/protocol_twin.py`; change nothing there.

A conversation: the page says `hello` with the token of its link; the server answers `welcome`,
`parameters`, `state` and the geometry, then sends frames. The page acknowledges each with `ack`; with
`IN_FLIGHT` frames unacknowledged the server waits, and goes on with the newest.

Binary messages are little-endian. Both start with `kind` and `world`, two uint32; `world` counts
the worlds shown so far, and a frame of a world that is gone is thrown away.

    GEOMETRY   kind, world, byte length of the JSON text, 0 (uint32 each); a JSON text (`Geometry`);
               zeros up to a multiple of 8; the arrays it points into, counted in bytes from there
    FRAME      kind, world, frame, body count (uint32 each); time [s] (float64);
               solid count, flags (uint32 each);
               for each body its centre (3 float32) [m] and half extent (float32) [m];
               for each solid its position (3 float32) [m] and quaternion x, y, z, w (4 float32);
               zeros up to a multiple of 8; for each point of each body 4 int16: x, y, z as parts of
               1/32767 of the half extent from the centre, and the strain in units of `STRAIN_UNIT`
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, TypeAdapter, ValidationError

VERSION = 5
"""Version of this protocol; page and server must agree."""

IN_FLIGHT = 3
"""Most frames a client may have unacknowledged."""

LARGEST_MESSAGE = 16_384
"""Most characters of a message to the server."""

MOST_PLACES = 200
"""Most places that an answer shows."""

MOST_TAPE = 2000
"""Most points of a tape."""

LONGEST_STROKE = 240
"""Most places along a line drawn on a body."""

GEOMETRY = 1
"""Kind of a binary message: shapes of all bodies and solids."""

FRAME = 2
"""Kind of a binary message: positions of one frame."""

STRAIN_UNIT = 1.0e-4
"""Strain of one step of the fourth number of a point [-]."""

HAS_STRAIN = 1
"""Flag of a frame: the strains in it are measured, not zero."""

CLOSE_BAD_LINK = 4401
"""Close code: the token is missing or wrong."""

CLOSE_BAD_HELLO = 4400
"""Close code: the first message was no `hello`, or of another version."""

CLOSE_CROWDED = 4429
"""Close code: there are too many clients, or this one does not keep up."""

Count = Annotated[int, Field(ge=0, le=2**53)]
Hand = Annotated[int, Field(ge=0, le=15)]
ShortText = Annotated[str, Field(max_length=200)]
Coordinate = Annotated[FiniteFloat, Field(ge=-1.0e6, le=1.0e6)]
Point = tuple[Coordinate, Coordinate, Coordinate]
UnitCoordinate = Annotated[FiniteFloat, Field(ge=-1.001, le=1.001)]
Quaternion = tuple[UnitCoordinate, UnitCoordinate, UnitCoordinate, UnitCoordinate]
Vertices = Annotated[tuple[Count, ...], Field(max_length=4)]
Weights = Annotated[tuple[Annotated[FiniteFloat, Field(ge=0.0, le=1.0)], ...], Field(max_length=4)]
Seconds = Annotated[FiniteFloat, Field(ge=0.0, le=1.0e12)]
Corners = tuple[Count, Count, Count]
Weight = Annotated[FiniteFloat, Field(ge=0.0, le=1.0)]
Radius = Annotated[FiniteFloat, Field(gt=0.0, le=1.0e3)]
Value = bool | int | FiniteFloat | ShortText | Annotated[tuple[FiniteFloat, ...], Field(max_length=16)]


class Message(BaseModel):
    """Anything said; frozen, and nothing beyond its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


# ---------------------------------------------------------------- the page says


class Hello(Message):
    """First words of a page."""

    type: Literal["hello"] = "hello"
    version: Count
    """The page's `VERSION`."""

    token: ShortText
    """The secret of the link."""


class Ack(Message):
    """A frame has been taken in."""

    type: Literal["ack"] = "ack"
    frame: Count


class View(Message):
    """What this page shows, so that nothing is computed in vain."""

    type: Literal["view"] = "view"
    strain: bool
    """Whether it colours by strain."""

    pressure: bool = False
    """Whether it colours whoever wears something by how that presses."""


class Grab(Message):
    """A hand takes hold of a body or a solid."""

    type: Literal["grab"] = "grab"
    hand: Hand
    """Which hand of this page; each holds one thing."""

    body: ShortText
    vertices: Vertices
    """Vertices of the patch taken; none for solids."""

    weights: Weights
    """Where on the patch the hand is: parts of its vertices, summing to 1."""

    target: Point
    """Where the hand is [m]."""

    time: Seconds
    """When, by the page's clock [s]."""


class Move(Message):
    """A hand that holds something moves."""

    type: Literal["move"] = "move"
    hand: Hand
    target: Point
    """Where the hand is [m]."""

    turn: Quaternion | None = None
    """How far it has turned since it took hold, x, y, z, w; None is not at all."""

    time: Seconds
    """When, by the page's clock [s]."""


class Release(Message):
    """A hand lets go; what it held flies on as fast as the hand moved."""

    type: Literal["release"] = "release"
    hand: Hand
    time: Seconds
    """When, by the page's clock [s]."""


class Feel(Message):
    """A hand wants to be told what it feels, or no longer: a `touch` after every frame while it holds something."""

    type: Literal["feel"] = "feel"
    hand: Hand
    value: bool


class TogglePin(Message):
    """Pin a vertex, or free those of the patch that are pinned."""

    type: Literal["toggle_pin"] = "toggle_pin"
    body: ShortText
    vertices: Annotated[tuple[Count, ...], Field(min_length=1, max_length=4)]
    """Vertices near the place meant, nearest first."""


class SurfacePath(Message):
    """A line drawn on one body, in places that move with it: what was aimed at is what is meant, however it moves."""

    body: ShortText
    corners: Annotated[tuple[Corners, ...], Field(min_length=1, max_length=LONGEST_STROKE)]
    """Vertices of the triangle that each place lies in; thrice the same for a body without triangles."""

    weights: Annotated[
        tuple[tuple[Weight, Weight, Weight], ...], Field(min_length=1, max_length=LONGEST_STROKE)
    ]
    """Where in the triangle each place lies: parts of its corners, summing to 1."""

    from_beside: bool = False
    """Whether the line came onto the body over its border."""

    to_beside: bool = False
    """Whether it left the body over its border."""


SurfacePaths = Annotated[tuple[SurfacePath, ...], Field(min_length=1, max_length=16)]


class Cut(Message):
    """A knife is led along paths, or scissors along the edges nearest to them."""

    type: Literal["cut"] = "cut"
    world: Count
    """World that the vertices belong to."""

    paths: SurfacePaths
    along_edges: bool
    """Whether no triangle is split."""


class Sew(Message):
    """A needle joins the edges nearest to two paths."""

    type: Literal["sew"] = "sew"
    world: Count
    first: SurfacePath
    second: SurfacePath


class Shrink(Message):
    """A brush lets what it passes over shrink, or grow."""

    type: Literal["shrink"] = "shrink"
    world: Count
    paths: SurfacePaths
    radius: Radius
    """Of the brush, along the cloth [m]."""

    ratio: Annotated[FiniteFloat, Field(ge=0.1, le=10.0)]
    """Rest lengths in the end over those now [-]."""


class Erase(Message):
    """An eraser takes away what it passes over."""

    type: Literal["erase"] = "erase"
    world: Count
    paths: SurfacePaths
    radius: Radius
    """Of the eraser, along the cloth [m]."""


class Trace(Message):
    """Ask which edges a needle would take along a path, which is still being drawn."""

    type: Literal["trace"] = "trace"
    world: Count
    """World that the vertices belong to."""

    path: SurfacePath


class Measure(Message):
    """Lay a tape along a body, over some of its vertices."""

    type: Literal["measure"] = "measure"
    world: Count
    """World that the vertices belong to."""

    body: ShortText
    vertices: Annotated[tuple[Count, ...], Field(min_length=2, max_length=16)]


class SavePattern(Message):
    """Write the panels of a garment down as they are now, sizes and cuts among them, for download."""

    type: Literal["save_pattern"] = "save_pattern"
    garment: ShortText
    form: Literal["json", "svg", "dxf"]


class SaveScript(Message):
    """Write everything down that was done, for download and replay."""

    type: Literal["save_script"] = "save_script"


class Set(Message):
    """Change a declared parameter."""

    type: Literal["set"] = "set"
    name: ShortText
    value: Value


class Act(Message):
    """Carry out a declared action."""

    type: Literal["act"] = "act"
    name: ShortText


class Undo(Message):
    """Take the last edit, pin or change of a parameter back."""

    type: Literal["undo"] = "undo"


class Redo(Message):
    """Do again what was taken back last."""

    type: Literal["redo"] = "redo"


class Pause(Message):
    """Stop the clock, or let it run."""

    type: Literal["pause"] = "pause"
    value: bool


class Speed(Message):
    """Let time pass more slowly, or as usual again."""

    type: Literal["speed"] = "speed"
    value: Annotated[FiniteFloat, Field(ge=0.01, le=1.0)]
    """Simulated time over real time [-], where frames can be computed as fast."""


class Step(Message):
    """Compute one frame and pause."""

    type: Literal["step"] = "step"


class Reset(Message):
    """Start the scene again, with the parameters as they are."""

    type: Literal["reset"] = "reset"


class Load(Message):
    """Show another scene of those offered."""

    type: Literal["load"] = "load"
    scene: ShortText


class Apply(Message):
    """Bring about the scene and the parameters of a shared link."""

    type: Literal["apply"] = "apply"
    share: Annotated[str, Field(max_length=8000)]


class Recording(Message):
    """Start or end a recording on the server."""

    type: Literal["record"] = "record"
    value: bool


ClientMessage = Annotated[
    Hello
    | Ack
    | View
    | Grab
    | Move
    | Release
    | Feel
    | TogglePin
    | Cut
    | Sew
    | Shrink
    | Erase
    | Trace
    | Measure
    | SavePattern
    | SaveScript
    | Set
    | Act
    | Undo
    | Redo
    | Pause
    | Speed
    | Step
    | Reset
    | Load
    | Apply
    | Recording,
    Field(discriminator="type"),
]

_CLIENT_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(ClientMessage)


class ProtocolError(Exception):
    """A message that says nothing we understand; the text tells why."""


def read_message(text: str) -> ClientMessage:
    """Return what a page said, checked.

    Raises:
        ProtocolError: if it is not a message of this protocol
    """
    if len(text) > LARGEST_MESSAGE:
        raise ProtocolError(
            f"a message of {len(text)} characters is longer than the {LARGEST_MESSAGE} allowed."
        )
    try:
        return _CLIENT_MESSAGE.validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(step)[:40] for step in first["loc"][:4])
        raise ProtocolError(f"not understood: {place + ': ' if place else ''}{first['msg'][:300]}") from None
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"not understood: {str(error)[:300]}") from None


# ---------------------------------------------------------------- the server says


class Welcome(Message):
    """Answer to `hello`."""

    type: Literal["welcome"] = "welcome"
    version: Count
    client: Count
    """Number of this client."""

    software: str
    """Version of supple."""


class SceneChoice(Message):
    """A scene that can be loaded."""

    name: str
    title: str
    group: str
    """Heading it stands under."""

    picture: str | None
    """Address of its picture, if it has one."""

    paper: str = ""
    """Which paper it repeats as printed, such as `desbrun-1999`; empty if none."""


class Parameter(Message):
    """Something a panel can change."""

    name: str
    """Unique name, such as `cloth.damping`."""

    group: str
    """Heading it stands under."""

    label: str
    kind: Literal["number", "integer", "choice", "switch", "vector"]
    unit: str = ""
    help: str = ""
    """One sentence on what it does."""

    low: float | None = None
    """Left end of a slider."""

    high: float | None = None
    """Right end of a slider."""

    is_logarithmic: bool = False
    """Whether the slider goes by factors; a `low` of 0 then is its own stop at the left end."""

    choices: tuple[str, ...] = ()
    is_open: bool = True
    """Whether its group starts unfolded."""

    value: Value
    """What it is now."""


class Action(Message):
    """Something a panel can ask for, with an answer."""

    name: str
    """Unique name, such as `count_intersections`."""

    group: str
    """Heading it stands under."""

    label: str
    help: str = ""
    """One sentence on what it does."""


class Parameters(Message):
    """Everything the panel offers, in the order to show."""

    type: Literal["parameters"] = "parameters"
    parameters: tuple[Parameter, ...]
    actions: tuple[Action, ...] = ()


class Values(Message):
    """Parameters that have changed."""

    type: Literal["values"] = "values"
    values: dict[str, Value]


class Answer(Message):
    """What came of an action, for the page that asked."""

    type: Literal["answer"] = "answer"
    name: str
    """Of the action."""

    text: str
    places: Annotated[tuple[Point, ...], Field(max_length=MOST_PLACES)] = ()
    """Where to look [m]."""


class State(Message):
    """Where the studio stands; sent whenever it changes."""

    type: Literal["state"] = "state"
    scene: str
    """Name among the scenes offered."""

    title: str
    description: str
    scenes: tuple[SceneChoice, ...]
    is_paused: bool
    is_recording: bool
    clients: Count
    can_undo: bool
    can_redo: bool
    undo_label: str
    """What undo would take back, in a few words, or ""."""

    redo_label: str
    """What redo would do again, in a few words, or ""."""

    share: str
    """What to put behind the `#` of a link to get here."""

    pins: dict[str, tuple[Count, ...]]
    """Pinned vertices by body."""

    frame_rate: float
    """Frames per simulated second [1/s]."""

    speed: float = 1.0
    """Simulated time over real time [-]; less than 1 is slow motion."""


class Compiling(Message):
    """Something must be ready before frames come; `total` 0 is the end of it."""

    type: Literal["compiling"] = "compiling"
    stage: Literal["start", "world", "maps", "untangling", "kernels"]
    """The server starts, the world is built, distance maps are built, a start is untangled, kernels are compiled."""

    done: Count
    total: Count
    name: str
    """Kernel, or obstacle whose map is built; "" if there is no name to tell."""

    seconds: Count = 0
    """Time left, about [s]; 0 if nobody knows."""


class Report(Message):
    """What the last frames did and cost; several times a second."""

    type: Literal["report"] = "report"
    frame: Count
    time: float
    """Simulated time [s]."""

    milliseconds: float
    """Mean cost of a frame [ms]."""

    stages: dict[str, float]
    """The same by stage [ms]."""

    rate: float
    """Frames computed per second of real time [1/s]."""

    points: Count
    contacts: Count
    max_stretch: float
    """Largest length over rest length [-]."""

    kinetic_energy: float
    """[J]"""

    potential_energy: float
    """[J]"""

    momentum: float
    """Length of the linear momentum [kg·m/s]."""

    angular_momentum: float
    """Length of the angular momentum about the origin [kg·m²/s]."""

    late: Count
    """Frames since the last report that took longer than their budget."""

    status: str
    """How the last frame went: ok, substepped, softened, held-back, diverged."""

    level_nodes: tuple[Count, ...] = ()
    """Nodes in use of every level of detail, the coarsest first; empty if no body has several."""

    tool_force: float = 0.0
    """Largest force of soft bodies on any obstacle in the last frame [N]."""

    budget_used: float = 0.0
    """Largest share of the budget that a frame took since the last report [-]; 0 if there is none."""


class Touch(Message):
    """What a hand feels after a frame, as a model for a force loop; for the page that asked by `feel`."""

    type: Literal["touch"] = "touch"
    hand: Hand
    frame: Count
    time: float
    """Simulated time [s]."""

    force: tuple[float, float, float]
    """On the hand in this frame [N]."""

    point: tuple[float, float, float]
    """A point of the surface as if nothing pressed on it; for something held, where its spring is at rest [m]."""

    normal: tuple[float, float, float] | None
    """Unit vector out of the surface; null if something is held, which pulls to every side."""

    stiffness: float
    """Force over depth, or over distance from `point` [N/m]; 0 where nothing is near."""


class Problem(Message):
    """A message was refused, or something went wrong."""

    type: Literal["problem"] = "problem"
    about: str
    """Type of the message refused, or "" if none."""

    text: str


class Recorded(Message):
    """A recording is complete."""

    type: Literal["recorded"] = "recorded"
    name: str
    """File name, to download under `/recordings/`."""

    frames: Count
    size: Count
    """Bytes."""

    also: tuple[str, ...] = ()
    """Endings, such as ".usd", under which the server offers the same recording, made when it is asked for."""


class ScriptSaved(Message):
    """What was done is written down."""

    type: Literal["script_saved"] = "script_saved"
    name: str
    """File name, to download under `/recordings/`."""

    entries: Count
    """Things that were done."""

    is_complete: bool
    """Whether replaying it gives the same; some settings and things moved by hand cannot be written down."""


class Traced(Message):
    """Edges that a needle would take, for the page that asked."""

    type: Literal["traced"] = "traced"
    world: Count
    body: str
    vertices: tuple[Count, ...]
    """Along the edges; none if there is no way."""

    text: str
    """What is wrong with it, or ""."""


class Tape(Message):
    """The shortest way along a body over some places, for the page that asked."""

    type: Literal["tape"] = "tape"
    world: Count
    body: str
    vertices: tuple[Count, ...]
    """Those it was laid over."""

    length: float
    """[m]"""

    points: Annotated[tuple[Point, ...], Field(max_length=MOST_TAPE)]
    """Where it lies [m]."""


class Pressure(Message):
    """How cloth presses on an obstacle or a puppet, for pages that show it."""

    type: Literal["pressure"] = "pressure"
    world: Count
    body: str
    most: float
    """What 255 stands for [Pa]."""

    values: tuple[Annotated[int, Field(ge=0, le=255)], ...]
    """One for each vertex of its surface."""


class Saved(Message):
    """Something is written down for the page that asked."""

    type: Literal["saved"] = "saved"
    name: str
    """File name, to download under `/recordings/`."""

    text: str
    """What it is, in a sentence."""


class Goodbye(Message):
    """The server stops."""

    type: Literal["goodbye"] = "goodbye"
    text: str


ServerMessage = Annotated[
    Welcome
    | Parameters
    | Values
    | Answer
    | State
    | Compiling
    | Report
    | Touch
    | Traced
    | Tape
    | Pressure
    | Saved
    | Problem
    | Recorded
    | ScriptSaved
    | Goodbye,
    Field(discriminator="type"),
]


# ---------------------------------------------------------------- geometry


class ArrayPlace(Message):
    """Where an array lies behind the text of a geometry message."""

    offset: Count
    """Bytes from the first array."""

    count: Count
    """Numbers in it."""


class BodyShape(Message):
    """A body that deforms."""

    name: str
    kind: str
    """cloth, chain, lattice, network, ..."""

    points: Count
    triangles: ArrayPlace
    """uint32, three vertices each."""

    columns: Count
    """Points in a row of a cloth that is a whole grid, whose points come row by row; 0 for any other body."""

    edges: ArrayPlace
    """uint32, two vertices each; only for bodies without triangles."""

    coordinates: ArrayPlace
    """float32, two for each point: place on the flat cloth [m]."""

    radius: float
    """Radius to draw a body without triangles with [m]."""

    garment: str = ""
    """The garment that it is a panel of, or ""."""

    outline: ArrayPlace = ArrayPlace(offset=0, count=0)
    """float32, x and y of the loops round a panel that nobody has cut [m], NaN after each; none for any other body."""

    fabric: str
    """What it looks like close by: silk, cotton, wool, denim, knit, rubber or mail."""

    colour: str
    """Such as "#c23b4e"."""

    back_colour: str
    """Colour of the other side."""


class SolidShape(Message):
    """A rigid mesh: it stands or moves whole."""

    name: str
    kind: str
    vertices: ArrayPlace
    """float32, three coordinates each [m]."""

    triangles: ArrayPlace
    """uint32, three vertices each."""

    is_movable: bool
    """Whether a hand can take it."""

    colour: str


class WaterShape(Message):
    """A region of water, cut off where nobody would look."""

    name: str
    low: Point
    """Its low corner [m]."""

    high: Point
    """Its high corner, at the height of the surface [m]."""

    current: Point
    """Velocity of the water [m/s]."""


class Outlook(Message):
    """From where to look at a scene when it opens."""

    azimuth: float
    """0 is from +z, growing towards +x [rad]."""

    elevation: float
    """Above the horizon [rad]."""

    distance: float | None
    """From the middle of the scene [m]; None is where all of it is seen."""


class Geometry(Message):
    """Shapes of a world, and from where to look at it."""

    scene: str = ""
    """Name of the scene: as long as it stays, so does the camera."""

    outlook: Outlook | None = None
    """None is the usual one."""

    bodies: tuple[BodyShape, ...]
    solids: tuple[SolidShape, ...]
    waters: tuple[WaterShape, ...] = ()
    centre: Point
    """Middle of it all at the start [m]."""

    size: Point
    """Extents of a box around it all [m]."""

    radius: float
    """Of a ball around it all [m]."""

    floor: float
    """Height of the ground to draw [m]."""


def client_types() -> tuple[type[Message], ...]:
    """Return the messages a page may send."""
    return _members(ClientMessage)


def server_types() -> tuple[type[Message], ...]:
    """Return the messages the server sends."""
    return _members(ServerMessage)


def _members(union: Any) -> tuple[type[Message], ...]:
    return tuple(union.__origin__.__args__)
