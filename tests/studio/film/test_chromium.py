from supple.studio.film import chromium


def test_the_browser_named_by_the_user_wins(tmp_path, monkeypatch):
    mine = tmp_path / "browser"
    mine.write_text("")
    monkeypatch.setenv(chromium.VARIABLE, str(mine))
    assert chromium.chromium_path() == str(mine)
    monkeypatch.setenv(chromium.VARIABLE, str(tmp_path / "nowhere"))
    assert chromium.chromium_path() is None


def test_what_playwright_downloaded_is_found_when_the_system_has_none(tmp_path, monkeypatch):
    monkeypatch.delenv(chromium.VARIABLE, raising=False)
    monkeypatch.setattr(chromium.shutil, "which", lambda name: None)
    monkeypatch.setattr(chromium, "_PLACES", ())
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    assert chromium.chromium_path() is None
    browser = tmp_path / "chromium-1254" / "chrome-linux64" / "chrome"
    browser.parent.mkdir(parents=True)
    browser.write_text("")
    assert chromium.chromium_path() == str(browser)
