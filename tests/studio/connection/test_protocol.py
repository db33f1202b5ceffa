import importlib.util
import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supple.studio.connection import protocol
from supple.studio.connection.protocol import ProtocolError, read_message

ROOT = Path(__file__).parents[3]

EXAMPLES = [
    {"type": "hello", "version": 1, "token": "secret"},
    {"type": "ack", "frame": 7},
    {"type": "view", "strain": True, "pressure": True},
    {
        "type": "grab", "hand": 0, "body": "cloth", "vertices": [0, 1, 2], "weights": [0.5, 0.25, 0.25],
        "target": [0.0, 1.0, 2.0], "time": 12.5,
    },
    {"type": "move", "hand": 3, "target": [0.1, -1.0, 2.5], "turn": [0.0, 0.0, 0.0, 1.0], "time": 13.0},
    {"type": "release", "hand": 3, "time": 13.1},
    {"type": "feel", "hand": 3, "value": True},
    {"type": "toggle_pin", "body": "cloth", "vertices": [4, 5]},
    {
        "type": "cut", "world": 1, "along_edges": False, "paths": [{
            "body": "cloth", "corners": [[0, 1, 8], [9, 10, 17]], "weights": [[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]],
            "from_beside": True, "to_beside": False,
        }],
    },
    {
        "type": "sew", "world": 1,
        "first": {
            "body": "cloth", "corners": [[0, 1, 8]], "weights": [[0.2, 0.3, 0.5]], "from_beside": False, "to_beside": False,
        },
        "second": {
            "body": "cloth", "corners": [[55, 62, 63]], "weights": [[0.0, 0.5, 0.5]],
            "from_beside": False, "to_beside": False,
        },
    },
    {
        "type": "shrink", "world": 2, "radius": 0.1, "ratio": 0.7, "paths": [{
            "body": "cloth", "corners": [[0, 1, 8]], "weights": [[0.2, 0.3, 0.5]], "from_beside": False, "to_beside": True,
        }],
    },
    {
        "type": "erase", "world": 2, "radius": 0.1, "paths": [{
            "body": "cloth", "corners": [[0, 1, 8]], "weights": [[0.2, 0.3, 0.5]], "from_beside": False, "to_beside": True,
        }],
    },
    {
        "type": "trace", "world": 1, "path": {
            "body": "cloth", "corners": [[0, 1, 8]], "weights": [[0.2, 0.3, 0.5]], "from_beside": False, "to_beside": True,
        },
    },
    {"type": "measure", "world": 1, "body": "cloth", "vertices": [3, 9]},
    {"type": "save_pattern", "garment": "shirt", "form": "dxf"},
    {"type": "save_script"},
    {"type": "set", "name": "cloth.damping", "value": 0.25},
    {"type": "set", "name": "gravity", "value": [0.0, -9.81, 0.0]},
    {"type": "act", "name": "count_intersections"},
    {"type": "undo"},
    {"type": "redo"},
    {"type": "pause", "value": True},
    {"type": "speed", "value": 0.25},
    {"type": "step"},
    {"type": "reset"},
    {"type": "load", "scene": "corners"},
    {"type": "apply", "share": "scene=corners"},
    {"type": "record", "value": False},
]  # fmt: skip


@pytest.mark.parametrize("words", EXAMPLES, ids=lambda words: words["type"])
def test_every_message_of_the_page_is_understood(words):
    message = read_message(json.dumps(words))
    assert json.loads(message.model_dump_json(exclude_none=True)) == words


def test_every_type_has_an_example():
    assert {words["type"] for words in EXAMPLES} == {
        kind.model_fields["type"].default for kind in protocol.client_types()
    }


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "[]", "7", "{}", '{"type": "shout"}', '{"type": 3}', "{" * 5000, "[" * 16000,
        '{"type": "ack"}', '{"type": "ack", "frame": -1}', '{"type": "ack", "frame": "7"}',
        '{"type": "ack", "frame": 1e400}',
        '{"type": "ack", "frame": 7, "more": 1}', '{"type": "pause", "value": 1}',
        '{"type": "set", "name": "a", "value": NaN}', '{"type": "set", "name": "a", "value": {"b": 1}}',
        '{"type": "move", "hand": 99, "target": [0, 0, 0], "time": 0}',
        '{"type": "move", "hand": 0, "target": [0, 0, Infinity], "time": 0}',
        '{"type": "move", "hand": 0, "target": [0, 0], "time": 0}',
        '{"type": "toggle_pin", "body": "cloth", "vertices": []}',
        '{"type": "load", "scene": "' + "x" * 300 + '"}',
        '{"type": "ack", "frame": 1}' + " " * 20000,
        '{"type": "hello", "version": 1, "token": "\ud800"}',
    ],
)  # fmt: skip
def test_what_is_not_a_message_is_refused_with_a_reason(text):
    with pytest.raises(ProtocolError) as refusal:
        read_message(text)
    assert 10 < len(str(refusal.value)) < 500


@given(
    st.text() | st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists).map(json.dumps)
)
def test_reading_never_fails_otherwise_than_by_refusal(text):
    try:
        read_message(text)
    except ProtocolError:
        pass


def mutated(words, chance):
    """Return the text of a message with something changed in it."""
    text = json.dumps(words)
    kind = chance.randrange(4)
    if kind == 0:
        at = chance.randrange(len(text))
        return text[:at] + chance.choice('{}[]":,0-e.\\u\x00é') + text[at + 1 :]
    if kind == 1:
        return text[: chance.randrange(len(text))]
    key = chance.choice(list(words))
    value = chance.choice([None, -1, 1e308, "x" * 300, [], {}, True, 2**70, [[[]]], "cloth", [1e9] * 3])
    return json.dumps({**words, key: value} if kind == 2 else {**words, chance.choice("abc"): value})


def test_ten_thousand_mutated_messages_are_read_or_refused():
    chance = random.Random(3)
    outcomes = {"read": 0, "refused": 0}
    for _ in range(10_000):
        try:
            read_message(mutated(chance.choice(EXAMPLES), chance))
            outcomes["read"] += 1
        except ProtocolError:
            outcomes["refused"] += 1
    assert outcomes["refused"] > 7_000
    assert outcomes["read"] > 100


def test_typescript_twin_is_up_to_date():
    place = ROOT / "scripts" / "protocol_twin.py"
    spec = importlib.util.spec_from_file_location("protocol_twin", place)
    twin = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(twin)
    assert twin.TWIN.read_text(encoding="utf-8") == twin.typescript(), "run python scripts/protocol_twin.py"
