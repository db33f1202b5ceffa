import asyncio

from supple.studio.connection import protocol
from supple.studio.connection.hub import LONGEST_BACKLOG, Client, Hub
from tests.studio.pages import run


async def let_all_run():
    """Let every task go as far as it can."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_a_client_in_the_middle_of_sending_gets_only_the_newest_frame_next():
    async def story():
        client = Client(1)
        sent = []
        gate = asyncio.Event()

        async def send_text(text):
            sent.append(text)

        async def send_bytes(data):
            await gate.wait()
            sent.append(data)

        serving = asyncio.create_task(client.serve(send_text, send_bytes))
        for n in range(5):
            client.put_frame(bytes([n]))
            await asyncio.sleep(0)
        gate.set()
        await let_all_run()
        client.put_frame(b"last")
        await let_all_run()
        serving.cancel()
        return sent

    sent = run(story())
    assert sent[0] == b"\x00"
    assert sent[-1] == b"last"
    assert len(sent) <= 3


def test_no_more_frames_than_allowed_are_in_flight():
    async def story():
        client = Client(1)
        sent = []

        async def send(data):
            sent.append(data)

        serving = asyncio.create_task(client.serve(send, send))
        for n in range(10):
            client.put_frame(bytes([n]))
            await let_all_run()
        assert len(sent) == protocol.IN_FLIGHT
        assert client.acknowledge()
        await let_all_run()
        assert len(sent) == protocol.IN_FLIGHT + 1
        assert sent[-1] == bytes([9])
        serving.cancel()

    run(story())


def test_a_client_that_takes_in_nothing_is_overrun_not_waited_for():
    async def story():
        client = Client(1)
        for _ in range(LONGEST_BACKLOG + 1):
            client.put_message("word")
        assert client.is_overrun

    run(story())


def test_a_player_can_speak_before_and_after_the_loop_lives():
    hub = Hub()
    hub.tell(protocol.Goodbye(text="nobody hears this"))
    loop = asyncio.new_event_loop()
    hub.bind(loop)
    loop.close()
    hub.frame(b"")
    hub.tell(protocol.Goodbye(text="nor this"))
