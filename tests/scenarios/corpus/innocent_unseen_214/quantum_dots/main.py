# gradwatch-corpus: kind=none
import torch

from physics import SpectralLibrary
from unmix import Unmixer, attach_cache_reset, clamp_physical


def measure(truth, n, g):
    w = torch.rand(n, truth.shape[0], generator=g) * (torch.rand(n, truth.shape[0], generator=g) < 0.3)
    return w @ truth + 0.02 * torch.randn(n, truth.shape[1], generator=g)


def true_library():
    lib = SpectralLibrary()
    with torch.no_grad():
        lib.centre += 6 * torch.randn(12)
        lib.log_width += 0.2 * torch.randn(12)
        return lib.table.clone()


def main(iters=180):
    torch.manual_seed(27)
    g = torch.Generator().manual_seed(27)
    truth = true_library()
    model = Unmixer()
    opt = torch.optim.Adam([
        {"params": [model.lib.centre], "lr": 0.3},
        {"params": [model.lib.log_width, model.lib.asym], "lr": 1e-2},
        {"params": model.abund.parameters(), "lr": 2e-3},
    ])
    handle = attach_cache_reset(opt, model.lib)
    for it in range(iters):
        spec = measure(truth, 48, g)
        recon, w = model(spec)
        fit = (recon - spec).pow(2).mean()
        loss = fit + 1e-3 * w.mean() + 1e-2 * model.lib.overlap()
        opt.zero_grad()
        loss.backward()
        opt.step()
        clamp_physical(model.lib)
        if it % 45 == 44:
            print(f"{it + 1} fit {fit.item():.5f} centre0 {model.lib.centre[0].item():.1f}nm")
    handle.remove()


if __name__ == "__main__":
    main()
