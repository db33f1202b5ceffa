import pytest

from supple.studio.connection.share import read_share, share_text


def test_a_link_says_again_what_was_shared():
    values = {"cloth.damping": 0.25, "gravity": (0.0, -1.5, 0.0), "integrator": "xpbd", "is on": True}
    shared = read_share("token=abc&" + share_text("my scene & more", values))
    assert shared.scene == "my scene & more"
    assert shared.values == values


@pytest.mark.parametrize("text", ["p.a=NaN", "p.a=[", "p.a=", "p.a=" + "[" * 3000])
def test_values_that_cannot_be_read_are_refused(text):
    with pytest.raises(ValueError, match="'a'"):
        read_share(text)


def test_other_words_of_a_link_are_passed_over():
    assert read_share("#theme=dark&quality=low").values == {}
