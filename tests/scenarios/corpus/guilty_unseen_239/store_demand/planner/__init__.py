from planner.config import PlannerConfig
from planner.data import sales_stream
from planner.model import LevelSeasonForecaster
from planner.runner import Runner

__all__ = ["PlannerConfig", "sales_stream", "LevelSeasonForecaster", "Runner"]
