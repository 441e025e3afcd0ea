"""What of the program grows while memory climbs and no graph explains it."""

from gradwatch_agent.growing.growth import Growth

__all__ = ["Growth"]
