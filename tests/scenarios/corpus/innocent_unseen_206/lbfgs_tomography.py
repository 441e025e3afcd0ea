# gradwatch-corpus: kind=none
import torch
from torch import nn


class Projector:
    def __init__(self, size, rays, seed):
        g = torch.Generator().manual_seed(seed)
        self.matrix = (torch.rand(rays, size * size, generator=g) < 0.1).float() / size
        self.size = size

    def __call__(self, image):
        return self.matrix @ image.flatten()


class Scene(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.raw = nn.Parameter(torch.zeros(size, size))

    def forward(self):
        return nn.functional.softplus(self.raw)


def total_variation(img):
    dx = img[:, 1:] - img[:, :-1]
    dy = img[1:] - img[:-1]
    return (dx.pow(2) + 1e-4).sqrt().mean() + (dy.pow(2) + 1e-4).sqrt().mean()


class Reconstruction:
    def __init__(self, project, sinogram, size):
        self.project, self.sinogram = project, sinogram
        self.scene = Scene(size)
        self.opt = torch.optim.LBFGS(self.scene.parameters(), lr=0.5, max_iter=4, history_size=8)
        self.terms = {}
        self.calls = 0
        self.data_curve = []
        self.frames = []

    def closure(self):
        self.opt.zero_grad()
        img = self.scene()
        self.terms["data"] = (self.project(img) - self.sinogram).pow(2).mean()
        self.terms["tv"] = 0.002 * total_variation(img)
        loss = sum(self.terms.values())
        loss.backward()
        self.calls += 1
        return loss

    def iterate(self):
        self.opt.step(self.closure)
        self.data_curve.append(self.terms["data"].item())

    def snapshot(self, limit=8):
        self.frames.append(self.scene().detach())
        del self.frames[:-limit]


def phantom(size):
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, size), torch.linspace(-1, 1, size), indexing="ij")
    body = ((xx / 0.8) ** 2 + (yy / 0.9) ** 2 < 1).float()
    lesion = (((xx - 0.3) / 0.2) ** 2 + ((yy + 0.2) / 0.3) ** 2 < 1).float()
    return 0.3 * body + 0.6 * lesion


def main():
    torch.manual_seed(40)
    size = 16
    project = Projector(size, rays=180, seed=40)
    truth = phantom(size)
    for noise in (0.005, 0.02):
        sino = project(truth)
        rec = Reconstruction(project, sino + noise * torch.randn_like(sino), size)
        for it in range(260):
            rec.iterate()
            if it % 20 == 0:
                rec.snapshot()
        err = [(f - truth).abs().mean().item() for f in rec.frames]
        print(f"noise {noise}: {rec.calls} closure calls, data {rec.data_curve[-1]:.2e},",
              "error", " ".join(f"{e:.3f}" for e in err[-4:]))


if __name__ == "__main__":
    main()
