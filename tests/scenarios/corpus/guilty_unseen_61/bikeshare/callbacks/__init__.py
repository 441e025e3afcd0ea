from .lr import LearningRateLog
from .residuals import DistrictResiduals

__all__ = ["DistrictResiduals", "LearningRateLog"]
