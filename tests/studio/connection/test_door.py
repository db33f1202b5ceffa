"""Who gets in: a token, a code that works once, and the cookie that both are exchanged for."""

from __future__ import annotations

import socket
import threading

import httpx
import pytest
import websockets

from supple.studio.connection import http_patience
from supple.studio.connection.door import MOST_CODES, Door
from supple.studio.connection.protocol import CLOSE_BAD_LINK, VERSION
from tests.studio.pages import Page, address, run


def page_of(studio):
    """Return a browser as far as cookies go."""
    return httpx.Client(base_url=f"http://127.0.0.1:{studio.port}", trust_env=False, timeout=60.0)


def entered(browser, secret):
    return browser.post("/enter", headers={"Authorization": f"Bearer {secret}"}).status_code


async def said(studio, headers, token=""):
    """Open a socket, say hello, and return the first answer or the code it was closed with."""
    async with websockets.connect(address(studio), max_size=None, additional_headers=headers) as opened:
        page = Page(opened)
        await page.say("hello", version=VERSION, token=token)
        try:
            return (await page.hear())["type"]
        except websockets.ConnectionClosed as closed:
            return closed.rcvd.code


def test_a_code_lets_one_browser_in_once(studio):
    code = studio.one_time_link().split("#code=")[1]
    assert "secret" not in studio.one_time_link()
    with page_of(studio) as first, page_of(studio) as second:
        assert first.get("/recordings/x.npz").status_code == 401
        assert entered(first, code) == 200
        assert first.get("/recordings/x.npz").status_code == 404, "it is in, and there is no such recording"
        assert entered(second, code) == 401
        assert not second.cookies
        (cookie,) = first.cookies.jar
        assert "secret" not in cookie.value
        assert cookie.has_nonstandard_attr("HttpOnly") and cookie.get_nonstandard_attr("SameSite") == "strict"
        assert run(said(studio, {"Cookie": f"{cookie.name}={cookie.value}"})) == "welcome"
        assert run(said(studio, {"Cookie": f"{cookie.name}={'0' * 64}"})) == CLOSE_BAD_LINK
        assert run(said(studio, {})) == CLOSE_BAD_LINK
        invited = first.post("/code")
        assert invited.status_code == 200 and second.post("/code").status_code == 401
        assert entered(second, invited.text) == 200


def test_the_token_is_exchanged_as_often_as_one_likes_and_a_guess_never(studio):
    for _ in range(2):
        with page_of(studio) as browser:
            assert entered(browser, "secret") == 200
            assert browser.post("/code").status_code == 200
    with page_of(studio) as browser:
        for guess in ("x", "Secret", "secret1", "secre"):
            assert entered(browser, guess) == 401
        assert browser.get("/enter").status_code in (404, 405)
        assert not browser.cookies


def test_a_cookie_of_another_site_does_not_open_the_socket(studio):
    """Browsers send cookies of 127.0.0.1 whatever the port: what tells the sites apart is the origin."""
    with page_of(studio) as browser:
        entered(browser, "secret")
        (cookie,) = browser.cookies.jar
        headers = {"Cookie": f"{cookie.name}={cookie.value}", "Origin": "http://127.0.0.1:1"}
        with pytest.raises(websockets.InvalidStatus):
            run(said(studio, headers))
        assert browser.post("/code", headers={"Origin": "http://127.0.0.1:1"}).status_code == 403


def test_codes_that_nobody_uses_are_forgotten_in_the_end():
    door = Door()
    codes = [door.new_code() for _ in range(MOST_CODES + 10)]
    assert len(set(codes)) == len(codes)
    assert not door._take(codes[0]) and door._take(codes[10]) and door._take(codes[-1])
    assert Door("same")._cookie == Door("same")._cookie != Door("other")._cookie


def test_a_page_may_talk_to_its_own_server_only(studio):
    for path in ("/", "/nowhere"):
        answer = httpx.get(f"http://127.0.0.1:{studio.port}{path}", trust_env=False, timeout=60.0)
        policy = answer.headers.get("Content-Security-Policy", "")
        assert "ws: " not in policy and "wss: " not in policy
    policy = httpx.get(f"http://localhost:{studio.port}/", trust_env=False, timeout=60.0).headers
    assert f"connect-src 'self' ws://localhost:{studio.port};" in policy["Content-Security-Policy"]
    odd = {"Host": "127.0.0.1:80;script-src *"}
    answer = httpx.get(f"http://127.0.0.1:{studio.port}/", headers=odd, trust_env=False, timeout=60.0)
    assert "script-src *" not in answer.headers.get("Content-Security-Policy", "")


@pytest.mark.parametrize("words", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "])
def test_a_connection_that_never_asks_is_closed(studio, monkeypatch, words):
    monkeypatch.setattr(http_patience, "REQUEST_SECONDS", 0.3)
    with socket.create_connection(("127.0.0.1", studio.port), timeout=60.0) as silent:
        silent.sendall(words)
        is_over = threading.Event()

        def drip():
            """Send a byte now and then: that is no request either."""
            try:
                while words and not is_over.wait(0.05):
                    silent.sendall(b"x")
            except OSError:
                pass

        dripping = threading.Thread(target=drip)
        dripping.start()
        try:
            assert silent.recv(1000) == b""
        except ConnectionResetError:
            pass
        finally:
            is_over.set()
            dripping.join()


def test_a_second_request_on_a_connection_has_a_deadline_too(studio, monkeypatch):
    monkeypatch.setattr(http_patience, "REQUEST_SECONDS", 0.3)
    with socket.create_connection(("127.0.0.1", studio.port), timeout=60.0) as slow:
        slow.sendall(b"GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert slow.recv(1000).startswith(b"HTTP/1.1 404")
        slow.sendall(b"GET /nowh")
        try:
            while slow.recv(1000):
                pass
        except ConnectionResetError:
            pass


def test_a_page_that_takes_its_time_after_hello_is_not_closed(studio, monkeypatch):
    monkeypatch.setattr(http_patience, "REQUEST_SECONDS", 0.1)

    async def conversation():
        async with websockets.connect(address(studio), max_size=None) as opened:
            page = Page(opened)
            await page.say("hello", version=VERSION, token="secret")
            await page.of_type("report")
            await page.of_type("report")

    run(conversation())
