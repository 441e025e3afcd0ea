from .solver import InversePINN
from .data import make_observations
