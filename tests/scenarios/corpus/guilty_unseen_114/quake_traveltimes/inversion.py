import torch

from tracer import RayTracer


def roughness(field):
    return field.diff(dim=0).pow(2).mean() + field.diff(dim=1).pow(2).mean()


class Inversion:
    def __init__(self, cfg, catalogue):
        self.cfg, self.catalogue = cfg, catalogue
        self.tracer = RayTracer(cfg.grid)
        self.opt = torch.optim.Adam(self.tracer.parameters(), lr=cfg.lr)
        self.residuals = []

    def update(self, key):
        cells, length, times = self.catalogue.batch(key[1])
        miss = self.tracer(key, cells, length) - times
        loss = miss.pow(2).mean() + self.cfg.smooth * roughness(self.tracer.slowness(key))
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        self.residuals.append(miss.detach().pow(2).mean().sqrt().item())

    def run_stage(self, stage):
        for window in range(stage.windows):
            for _ in range(stage.batches_per_window):
                self.update((stage.name, window))
            if window % 20 == 0:
                print(f"{stage.name:>6s} window {window:3d}  rms {self.rms():.4f} s")

    def rms(self):
        last = self.residuals[-10:]
        return sum(last) / len(last)
