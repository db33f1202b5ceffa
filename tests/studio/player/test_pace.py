from supple.studio.player.pace import Pace


def test_nobody_begins_a_frame_while_another_is_behind():
    pace = Pace()
    pace.join("left")
    pace.join("right")
    assert pace.is_due("left", 0.0, 0.02)
    assert not pace.is_due("left", 0.02, 0.02)
    assert pace.is_due("right", 0.0, 0.02)
    assert pace.is_due("right", 0.02, 0.02)
    assert pace.is_due("left", 0.02, 0.02)


def test_whoever_goes_alone_is_always_due():
    pace = Pace()
    assert pace.is_due("left", 5.0, 0.02)
    pace.join("left")
    pace.join("right")
    assert not pace.is_due("left", 5.0, 0.02)
    pace.leave("right")
    assert pace.is_due("left", 5.0, 0.02)


def test_after_a_start_from_zero_of_one_the_other_waits_until_it_starts_too():
    pace = Pace()
    pace.join("left")
    pace.join("right")
    assert pace.is_due("left", 0.0, 0.02)
    assert not pace.is_due("right", 3.0, 0.02)
    assert pace.is_due("right", 0.0, 0.02)


def test_whoever_stops_a_frame_too_early_goes_on_for_it():
    pace = Pace()
    pace.join("left")
    pace.join("right")
    assert pace.is_due("left", 0.0, 0.02)  # begins a frame, while the right one is told to stop
    assert not pace.is_due("right", 0.0, 0.02, wants=False)
    assert not pace.is_due("left", 0.02, 0.02, wants=False)
    assert pace.is_due("right", 0.0, 0.02, wants=False)
    assert not pace.is_due("right", 0.02, 0.02, wants=False)
    assert not pace.is_due("left", 0.02, 0.02, wants=False)


def test_whoever_stopped_elsewhere_stays_there():
    pace = Pace()
    pace.join("left")
    pace.join("right")
    assert not pace.is_due("left", 3.0, 0.02, wants=False)
    assert not pace.is_due("right", 0.0, 0.02, wants=False)
