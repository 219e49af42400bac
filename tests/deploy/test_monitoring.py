"""The alert rules: read by Prometheus' own tool, tried out, and asking only for figures that there are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from tests.deploy.tools import DEPLOY, ROOT, told
from tests.service.rig import House

MONITORING = DEPLOY / "monitoring"


def rules() -> dict[str, Any]:
    (group,) = yaml.safe_load((MONITORING / "alerts.yaml").read_text())["groups"]
    return {rule["alert"]: rule for rule in group["rules"]}


def test_prometheus_takes_them_and_they_call_when_they_must() -> None:
    for words in (
        ("check", "rules", "alerts.yaml"),
        ("check", "config", "--syntax-only", "prometheus.yaml"),
        ("test", "rules", "alerts_test.yaml"),
    ):
        done = told("promtool", *words, cwd=MONITORING)
        assert done.returncode == 0, done.stdout + done.stderr


def test_each_is_tried_out_both_ways() -> None:
    cases = [
        case
        for test in yaml.safe_load((MONITORING / "alerts_test.yaml").read_text())["tests"]
        for case in test["alert_rule_test"]
    ]
    for calls in (True, False):
        assert {case["alertname"] for case in cases if bool(case["exp_alerts"]) is calls} == set(rules())


async def test_they_ask_for_figures_that_there_are(tmp_path: Path) -> None:
    house = await House(tmp_path / "referee.db").open()
    try:
        found = await house.referee.monitor.figures()
    finally:
        await house.close()
    known = set(re.findall(r"^# TYPE (\w+)", found, re.MULTILINE)) | {
        "citadels_backup_seconds"
    }  # which is not there until one was made
    known |= {f"{name}_bucket" for name in known}
    asked = {name for rule in rules().values() for name in re.findall(r"\bcitadels_\w+", rule["expr"])}
    assert len(asked) >= 15
    assert asked - known == set()


def test_each_leads_to_what_to_do() -> None:
    headings = {
        re.sub(r"[^\w -]", "", line[3:]).strip().lower().replace(" ", "-")
        for line in (ROOT / "docs" / "admins" / "runbook.md").read_text().splitlines()
        if line.startswith("## ")
    }
    for name, rule in rules().items():
        file, _, heading = rule["annotations"]["runbook"].partition("#")
        assert file == "docs/admins/runbook.md"
        assert heading in headings, name
        assert rule["labels"]["severity"] in ("page", "ticket")
