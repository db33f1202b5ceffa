"""Summary of the step reports since the last message to the pages."""

from __future__ import annotations

import math

from supple.report import StepReport
from supple.simulation import Simulation
from supple.studio.connection import protocol

REPORT_SECONDS = 0.1
"""Time between two reports to the pages [s]."""


class ReportSummary:
    """Step reports of several frames, summed up in one message at regular times."""

    def __init__(self) -> None:
        """Start with nothing gathered."""
        self._reports: list[StepReport] = []
        self._told = 0.0

    def clear(self) -> None:
        """Forget the frames gathered so far: another world is shown."""
        self._reports.clear()

    def restart(self, now: float) -> None:
        """Forget the frames and the time they took [s]: their cost says nothing about those to come."""
        self._reports.clear()
        self._told = now

    def add(self, report: StepReport) -> None:
        """Gather one frame."""
        self._reports.append(report)

    def due(self, simulation: Simulation, now: float) -> protocol.Report | None:
        """Return the message due at this time [s] and restart, or None if the last one is too recent."""
        if now - self._told < REPORT_SECONDS:
            return None
        message = self._summed(simulation, now - self._told)
        self.restart(now)
        return message

    def _summed(self, simulation: Simulation, seconds: float) -> protocol.Report:
        reports = self._reports
        last = reports[-1]
        stages: dict[str, float] = {}
        for report in reports:
            for stage, spent in report.stage_milliseconds.items():
                stages[stage] = stages.get(stage, 0.0) + spent / len(reports)
        return protocol.Report(
            frame=last.frame,
            time=last.time,
            milliseconds=sum(report.milliseconds for report in reports) / len(reports),
            stages=stages,
            rate=len(reports) / seconds if seconds < 1e3 * REPORT_SECONDS else 0.0,
            points=simulation.particle_count,
            contacts=last.contacts,
            max_stretch=_finite(last.max_stretch),
            kinetic_energy=_finite(last.kinetic_energy),
            potential_energy=_finite(last.potential_energy),
            momentum=_finite(math.hypot(*last.linear_momentum)),
            angular_momentum=_finite(math.hypot(*last.angular_momentum)),
            late=sum(not report.deadline_kept for report in reports),
            status=str(last.status),
            level_nodes=last.level_nodes,
            tool_force=_finite(simulation.largest_tool_force()),
            budget_used=max(report.budget_used for report in reports),
        )


def _finite(value: float) -> float:
    return value if math.isfinite(value) else 0.0
