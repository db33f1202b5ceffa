import math

from supple.adapt.budget import Budget


def test_without_a_budget_there_is_no_bound():
    budget = Budget(None, None)
    assert budget.most_updates() == math.inf and budget.used(3.0, 100) == 0.0


def test_a_budget_of_updates_is_what_it_says():
    budget = Budget(None, 500)
    budget.note(1000.0, 1)
    assert budget.most_updates() == 500.0 and budget.used(3.0, 100) == 0.2


def test_a_budget_of_time_follows_from_what_updates_have_cost():
    budget = Budget(15.0, None)
    assert budget.most_updates() == 0.0
    budget.note(5000.0, 10)  # compiles
    assert budget.most_updates() == 0.0
    for _ in range(30):
        budget.note(2.0, 1000)
    for _ in range(2):
        budget.note(80.0, 1000)  # the machine did something else
    assert budget.most_updates() == 7500.0
    assert budget.used(3.0, 1000) == 0.2
