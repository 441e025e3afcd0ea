import torch
from torch import nn

from physics import SpectralLibrary


class Unmixer(nn.Module):
    def __init__(self, n_dots=12, n_wl=80):
        super().__init__()
        self.lib = SpectralLibrary(n_dots, n_wl)
        self.abund = nn.Sequential(nn.Linear(n_wl, 48), nn.ReLU(), nn.Linear(48, n_dots), nn.Softplus())

    def forward(self, spec):
        w = self.abund(spec)
        return self.lib.mix(w), w


def attach_cache_reset(opt, lib):
    """parameters changed -> table is stale"""
    def post(optimizer, args, kwargs):
        lib.invalidate()
    return opt.register_step_post_hook(post)


@torch.no_grad()
def clamp_physical(lib):
    lib.centre.clamp_(440, 710)
    lib.log_width.clamp_(1.0, 4.0)
