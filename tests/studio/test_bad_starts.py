"""What is wrong with the options of a studio is told before anything runs."""

import pytest

import supple
from supple import SuppleError
from supple.studio.play import Studio

SCENE = supple.Scene(supple.Chain(length=0.3, points=3))


@pytest.mark.parametrize("content", [b"", b"no certificate", bytes(range(256))])
def test_a_certificate_that_is_none_is_refused(tmp_path, content):
    (tmp_path / "cert.pem").write_bytes(content)
    with pytest.raises(SuppleError, match="is no certificate"):
        Studio(SCENE, port=0, certificate=tmp_path / "cert.pem")


@pytest.mark.parametrize("share", ["p.x=}{", "p.x=NaN", "p.x=" + "[" * 100_000])
def test_a_shared_link_that_cannot_be_read_is_refused(share):
    with pytest.raises(SuppleError, match="--share cannot be read"):
        Studio(SCENE, port=0, share=share)
