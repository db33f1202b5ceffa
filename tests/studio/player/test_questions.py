"""Questions that take long are answered beside the frames."""

from __future__ import annotations

import threading

from supple.studio.connection import protocol
from supple.studio.player.questions import Questions


class Told:
    """An output that keeps the words and says when one came."""

    def __init__(self):
        self.words = []
        self.came = threading.Semaphore(0)

    def tell(self, word, client=None):
        self.words.append((client, word))
        self.came.release()


def answer(text):
    return protocol.Answer(name="count", text=text)


def test_a_client_waits_for_one_answer_of_a_kind_and_others_for_theirs():
    output, may_answer = Told(), threading.Event()
    questions = Questions(output)

    def slow():
        assert may_answer.wait(60.0)
        return answer("slow")

    questions.ask(1, "count", slow)
    for _ in range(1000):
        assert questions.is_waiting(1, "count")
        questions.ask(1, "count", lambda: answer("again"))
    questions.ask(2, "count", lambda: answer("other"))
    assert output.words == [], "whoever asks is not kept waiting"
    may_answer.set()
    for _ in range(2):
        assert output.came.acquire(timeout=60.0)
    assert output.words == [(1, answer("slow")), (2, answer("other"))]
    assert not questions.is_waiting(1, "count")
    questions.stop()


def test_a_question_that_fails_is_told_and_the_next_one_answered():
    output = Told()
    questions = Questions(output)
    questions.ask(1, "count", lambda: 1 / 0)
    questions.ask(1, "other", lambda: answer("fine"))
    for _ in range(2):
        assert output.came.acquire(timeout=60.0)
    (_, problem), (_, good) = output.words
    assert problem.type == "problem" and "ZeroDivisionError" in problem.text
    assert good.text == "fine"
    questions.stop()
