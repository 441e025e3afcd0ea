from .inducing import InducingPoints
from .regressor import SparseRegressor

__all__ = ["InducingPoints", "SparseRegressor"]
