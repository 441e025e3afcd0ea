"""What of the program grows though no graph explains it."""

from gradwatch_agent.growing.growth import Growth

__all__ = ["Growth"]
