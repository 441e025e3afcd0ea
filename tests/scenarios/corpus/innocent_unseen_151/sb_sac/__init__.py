from .sac import SAC
