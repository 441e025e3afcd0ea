from .running import Collection, R2Score, RunningMean

__all__ = ["Collection", "R2Score", "RunningMean"]
