import asyncio
import json
import random

import httpx
import numpy as np
import pytest
import websockets

from supple.studio.connection import protocol
from supple.studio.connection.hub import MOST_CLIENTS
from tests.studio.connection.test_protocol import EXAMPLES, mutated
from tests.studio.pages import address, open_page, run, wait_for


def fetch(studio, path, **options):
    return httpx.get(f"http://127.0.0.1:{studio.port}{path}", trust_env=False, timeout=60.0, **options)


def test_the_page_is_sent_compressed_to_those_who_read_that(studio):
    from supple.studio.connection.server import PAGE

    if not (PAGE / "page.js").is_file():
        pytest.skip("the page has not been built")
    packed = fetch(studio, "/page.js", headers={"Accept-Encoding": "gzip"})
    plain = fetch(studio, "/page.js", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip" and "content-encoding" not in plain.headers
    assert packed.content == plain.content == (PAGE / "page.js").read_bytes()
    assert int(packed.headers["content-length"]) < 0.4 * int(plain.headers["content-length"])


def test_strangers_do_not_get_the_file_of_the_scene(studio):
    assert fetch(studio, "/scene.toml").status_code == 401


# ---------------------------------------------------------------- the conversation


def test_a_page_is_told_everything_and_then_sees_frames(studio):
    async def conversation():
        page = await open_page(studio)
        welcome = await page.of_type("welcome")
        assert welcome["version"] == protocol.VERSION
        parameters = (await page.of_type("parameters"))["parameters"]
        assert {"cloth.damping", "gravity", "integrator"} <= {each["name"] for each in parameters}
        state = await page.until(lambda word: word["type"] == "state" and word["clients"] == 1)
        assert state["pins"] == {"cloth": [0, 7]}
        assert state["title"] == "A sheet"
        await page.more_frames(20)
        assert 1 <= len(page.geometries) <= 2, "the world, and before it perhaps the preview of it"
        numbers = [int.from_bytes(frame[8:12], "little") for frame in page.frames]
        assert numbers == sorted(numbers) and numbers[-1] > numbers[0]
        report = await page.of_type("report")
        assert report["points"] == 64
        await page.socket.close()

    run(conversation())


def test_a_wrong_token_is_sent_away_and_told_so(studio):
    async def conversation(**words):
        page = await open_page(studio, **words)
        with pytest.raises(websockets.ConnectionClosed) as closed:
            while True:
                assert (await page.hear())["type"] == "never"
        return closed.value.rcvd.code

    assert run(conversation(token="guess")) == protocol.CLOSE_BAD_LINK
    assert run(conversation(version=999)) == protocol.CLOSE_BAD_HELLO


@pytest.mark.parametrize("first", ['{"type": "step"}', "nonsense", b"\x00\x01"])
def test_first_words_that_are_no_hello_end_the_conversation(studio, first):
    async def conversation():
        async with websockets.connect(address(studio)) as socket:
            await socket.send(first)
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await socket.recv()
            return closed.value.rcvd.code

    assert run(conversation()) == protocol.CLOSE_BAD_HELLO


def test_a_page_that_does_not_acknowledge_gets_three_frames_and_then_only_the_newest(studio):
    async def conversation():
        page = await open_page(studio)
        page.answers_frames = False
        await page.of_type("report")
        while len(page.frames) < 3:
            await page.hear()
        last = await page.of_type("report")
        while last["frame"] < 100:
            last = await page.of_type("report")
        assert len(page.frames) == protocol.IN_FLIGHT
        await page.say("ack", frame=1)
        while len(page.frames) == protocol.IN_FLIGHT:
            await page.hear()
        newest = int.from_bytes(page.frames[-1][8:12], "little")
        assert newest >= last["frame"] - 1  # a report may overtake its frame
        await page.socket.close()

    run(conversation())


def test_the_simulation_runs_on_while_nobody_looks(studio):
    async def conversation():
        page = await open_page(studio)
        first = (await page.of_type("report"))["frame"]
        await page.socket.close()
        await wait_for(lambda: studio.player.simulation.frame > first + 10)
        page = await open_page(studio)
        assert (await page.of_type("report"))["frame"] > first + 10
        await page.socket.close()

    run(conversation())


def test_a_hand_moves_the_cloth_of_everyone_and_lets_go_when_its_page_vanishes(studio):
    async def conversation():
        one, two = await open_page(studio), await open_page(studio)
        await two.until(lambda word: word["type"] == "state" and word["clients"] == 2)
        await one.more_frames(2)
        hand = {"hand": 0, "target": [0.1, -0.2, 0.6]}
        await one.say("grab", body="cloth", vertices=[63], weights=[1.0], time=0.0, **hand)
        await two.more_frames(1)
        await two.until_frame(lambda frame: np.allclose(vertex(frame, 63), hand["target"], atol=1e-3))
        await one.socket.close()
        await two.until(lambda word: word["type"] == "state" and word["clients"] == 1)
        await two.until_frame(lambda frame: not np.allclose(vertex(frame, 63), hand["target"], atol=1e-2))
        await two.socket.close()

    run(conversation())


def vertex(frame, index):
    box = np.frombuffer(frame, "<f4", 4, 32)
    points = np.frombuffer(frame, "<i2", offset=48).reshape(-1, 4)
    return box[:3] + points[index, :3] * (float(box[3]) / 32767)


def test_changes_reach_every_page_and_can_be_undone(studio):
    async def conversation():
        one, two = await open_page(studio), await open_page(studio)
        await one.of_type("state")
        await two.of_type("state")
        await one.say("set", name="cloth.damping", value=0.5)
        told = await two.of_type("values")
        assert told["values"] == {"cloth.damping": 0.5}
        state = await two.until(lambda word: word["type"] == "state" and word["can_undo"])
        assert "p.cloth.damping=0.5" in state["share"]
        await two.say("undo")
        told = await one.until(
            lambda word: word["type"] == "values" and word["values"] != {"cloth.damping": 0.5}
        )
        assert told["values"]["cloth.damping"] == 0.004
        await two.say("redo")
        await one.until(lambda word: word["type"] == "values" and word["values"] == {"cloth.damping": 0.5})
        await one.socket.close()
        await two.socket.close()

    run(conversation())


def test_undo_of_a_material_brings_all_its_values_back(studio):
    async def conversation():
        page = await open_page(studio)
        await page.of_type("state")
        await page.say("set", name="cloth.stretch_stiffness", value=123.0)
        await page.of_type("values")
        await page.say("set", name="cloth.material", value="denim")
        assert (await page.of_type("values"))["values"]["cloth.stretch_stiffness"] == 3000.0
        await page.say("undo")
        values = (await page.of_type("values"))["values"]
        assert values["cloth.material"] == "silk"
        assert values["cloth.stretch_stiffness"] == 123.0
        await page.socket.close()

    run(conversation())


def test_pause_step_reset_pin_and_switch(studio):
    async def conversation():
        page = await open_page(studio)
        await page.of_type("report")
        await page.say("pause", value=True)
        await page.until(lambda word: word["type"] == "state" and word["is_paused"])
        before = studio.player.simulation.frame
        await page.say("step")
        await page.say("step")
        await wait_for(lambda: studio.player.simulation.frame >= before + 2)
        await page.say("toggle_pin", body="cloth", vertices=[20, 21, 28])
        await page.until(lambda word: word["type"] == "state" and word["pins"]["cloth"] == [0, 7, 20])
        await page.say("toggle_pin", body="cloth", vertices=[21, 20, 28])
        await page.until(lambda word: word["type"] == "state" and word["pins"]["cloth"] == [0, 7])
        assert studio.player.simulation.frame == before + 2
        await page.say("set", name="drag", value=2.5)
        await page.of_type("values")
        await page.say("reset")
        declared = await page.until(lambda word: word["type"] == "parameters" and drag(word) == 2.5)
        assert declared
        assert studio.player.simulation.frame == 0
        await page.say("load", scene="chain")
        await page.until(lambda word: word["type"] == "state" and word["scene"] == "chain")
        await page.say("apply", share="scene=my scene&p.drag=1.5")
        await page.until(lambda word: word["type"] == "state" and "p.drag=1.5" in word["share"])
        assert studio.player.simulation.scene.drag == 1.5
        await page.socket.close()

    run(conversation())


def drag(word):
    return next(each["value"] for each in word["parameters"] if each["name"] == "drag")


def test_a_recording_is_kept_offered_and_downloaded_with_the_token_only(studio, tmp_path):
    async def conversation():
        page = await open_page(studio)
        await page.of_type("state")
        await page.say("record", value=True)
        await page.until(lambda word: word["type"] == "state" and word["is_recording"])
        await page.more_frames(5)
        await page.say("record", value=False)
        recorded = await page.of_type("recorded")
        await page.socket.close()
        return recorded

    recorded = run(conversation())
    path = f"/recordings/{recorded['name']}"
    answer = fetch(studio, path, headers={"Authorization": "Bearer secret"})
    assert answer.status_code == 200
    assert len(answer.content) == recorded["size"]
    (tmp_path / "copy.npz").write_bytes(answer.content)
    with np.load(tmp_path / "copy.npz") as kept:
        assert kept["cloth/positions"].shape == (recorded["frames"], 64, 3)
    assert ".glb" in recorded["also"]
    other = fetch(studio, path.replace(".npz", ".glb"), headers={"Authorization": "Bearer secret"})
    assert other.status_code == 200 and other.content[:4] == b"glTF"
    assert fetch(studio, path).status_code == 401
    assert fetch(studio, path, headers={"Authorization": "Bearer guess"}).status_code == 401
    for name in ("..%2Fpasswd", "other.npz", "other.glb", "%2e%2e"):
        assert (
            fetch(studio, f"/recordings/{name}", headers={"Authorization": "Bearer secret"}).status_code
            == 404
        )


# ---------------------------------------------------------------- hostile pages


def test_ten_thousand_random_and_mutated_messages_get_errors_and_never_reach_the_simulation(studio):
    chance = random.Random(7)
    # Strokes on a world that never was: those on worlds the page has seen are carried over, and would be edits.
    harmless = [
        {**words, "world": 10**6} if "world" in words else words
        for words in EXAMPLES
        if words["type"] not in ("load", "record", "reset", "apply")
    ]

    def nonsense():
        kind = chance.randrange(5)
        if kind == 0:
            return chance.randbytes(chance.randrange(200))
        if kind == 1:
            return "".join(
                chance.choice('{}[]":,truefalsnl0123456789.-') for _ in range(chance.randrange(80))
            )
        if kind == 2:
            hostile = {"hand": chance.randrange(16), "time": chance.uniform(0, 1e6)}
            target = [chance.uniform(-1e5, 1e5) for _ in range(3)]
            vertices = [chance.randrange(64, 10**6)]
            return json.dumps(
                {
                    "type": "grab",
                    "body": "cloth",
                    "vertices": vertices,
                    "weights": [1.0],
                    "target": target,
                    **hostile,
                }
            )
        return mutated(chance.choice(harmless), chance)

    async def conversation():
        page = await open_page(studio)
        await page.of_type("report")
        await page.say("pause", value=True)
        await page.until(lambda word: word["type"] == "state" and word["is_paused"])
        before = studio.player.simulation.positions("cloth").copy()
        page.answers_frames = False
        problems = 0

        async def listen():
            nonlocal problems
            while True:
                word = await page.hear()
                problems += isinstance(word, dict) and word["type"] == "problem"

        listening = asyncio.create_task(listen())
        sent = 0
        while sent < 10_000:
            message = nonsense()
            if isinstance(message, str) and ('"pause"' in message or '"step"' in message):
                continue
            await page.socket.send(message)
            sent += 1
            if sent % 50 == 0:
                await asyncio.sleep(0.005)
        await page.socket.send('{"type": "set", "name": "last", "value": 1}')
        await wait_for(
            lambda: any(word.get("text", "").endswith("'last'.") for word in page.words[-50:]), seconds=300.0
        )
        listening.cancel()
        await asyncio.wait([listening])
        assert problems > 8_000
        simulation = studio.player.simulation
        assert np.array_equal(before, simulation.positions("cloth"))
        assert set(simulation.pinned("cloth").tolist()) <= {0, 4, 5, 7}
        page.answers_frames = True
        await page.say("pause", value=False)
        await page.of_type("report", status="ok")
        await page.socket.close()

    run(conversation())
    assert studio.player.is_running


def test_an_oversized_message_is_refused_and_a_huge_one_closes(studio):
    async def conversation():
        page = await open_page(studio)
        await page.socket.send('{"type": "step"}' + " " * protocol.LARGEST_MESSAGE)
        assert "longer" in (await page.of_type("problem"))["text"]
        with pytest.raises(websockets.ConnectionClosed):
            await page.socket.send("x" * 10_000_000)
            while True:
                await page.hear()

    run(conversation())


def test_acknowledging_what_was_never_sent_and_a_second_hello_are_errors(studio):
    async def conversation():
        page = await open_page(studio)
        page.answers_frames = False
        for _ in range(5):
            await page.say("ack", frame=3)
        assert (await page.of_type("problem"))["about"] == "ack"
        await page.say("hello", version=1, token="secret")
        assert (await page.of_type("problem", about="hello"))["text"]
        await page.socket.close()

    run(conversation())


def test_too_many_pages_are_sent_away(studio):
    async def conversation():
        pages = [await open_page(studio) for _ in range(MOST_CLIENTS)]
        for page in pages:
            await page.of_type("welcome")
        crowd = await open_page(studio)
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await crowd.hear()
        assert closed.value.rcvd.code == protocol.CLOSE_CROWDED
        for page in pages:
            await page.socket.close()

    run(conversation())


# ---------------------------------------------------------------- who may have what


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://localhost"])
def test_sockets_from_other_origins_are_refused(studio, origin):
    async def conversation():
        with pytest.raises(websockets.InvalidStatus) as refused:
            await websockets.connect(address(studio), origin=origin)
        return refused.value.response.status_code

    assert run(conversation()) == 403


def test_the_own_origin_is_let_in(studio):
    async def conversation():
        page = await open_page(studio, origin=f"http://127.0.0.1:{studio.port}")
        await page.of_type("welcome")
        await page.socket.close()

    run(conversation())


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "a@127.0.0.1", "[", ""]
)
def test_requests_under_another_name_are_refused(studio, host):
    assert fetch(studio, "/", headers={"Host": host}).status_code in (400, 403)


def test_other_hosts_cannot_open_the_socket(studio):
    async def conversation():
        with pytest.raises(websockets.InvalidStatus):
            headers = {"Host": f"evil.example:{studio.port}"}
            await websockets.connect(f"ws://127.0.0.1:{studio.port}/socket", additional_headers=headers)

    run(conversation())


@pytest.mark.parametrize(
    "path",
    ["/static", "/../pyproject.toml", "/..%2f..%2fpyproject.toml", "/%2e%2e/play.py", "/server.py", "/gallery/",
     "/gallery/../x.png", "/recordings/", "//etc/passwd"],
)  # fmt: skip
def test_nothing_else_is_served_and_no_folder_is_listed(studio, path):
    answer = fetch(studio, path)
    assert answer.status_code in (401, 404, 405)
    assert len(answer.content) < 200


def test_pictures_are_taken_only_when_one_is_wanted(studio):
    url = f"http://127.0.0.1:{studio.port}/picture"
    given = {"headers": {"Authorization": "Bearer secret"}, "trust_env": False, "timeout": 60.0}
    png = b"\x89PNG\r\n\x1a\n123"
    assert httpx.post(url, content=png, **given).status_code == 401
    taken = []
    studio.server.on_picture = taken.append
    assert httpx.post(url, content=b"GIF89a", **given).status_code == 415
    assert httpx.post(url, content=png, trust_env=False).status_code == 401
    assert httpx.post(url, content=png, **given).status_code == 200
    assert taken == [png]


def test_pages_are_told_when_the_server_stops(studio):
    async def conversation():
        page = await open_page(studio)
        await page.of_type("welcome")
        page.answers_frames = False  # the socket may be closed before its last frames are read
        asyncio.get_running_loop().run_in_executor(None, studio.stop)
        goodbye = await page.of_type("goodbye")
        with pytest.raises(websockets.ConnectionClosed):
            while True:
                await page.hear()
        return goodbye

    assert "stopped" in run(conversation())["text"]
    assert not studio.player.is_running
