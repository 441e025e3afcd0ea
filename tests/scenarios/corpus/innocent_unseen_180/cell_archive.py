# gradwatch-corpus: kind=none
"""Quality-diversity style archive over a grid of behaviour cells for a shape decoder."""
import torch
from torch import nn

ROWS, COLS = 6, 7


class Decoder(nn.Module):
    def __init__(self, latent=4, points=16):
        super().__init__()
        self.points = points
        self.net = nn.Sequential(nn.Linear(latent, 40), nn.ELU(), nn.Linear(40, points * 2))

    def forward(self, z):
        return self.net(z).view(-1, self.points, 2)


class Archive:
    def __init__(self, rows, cols):
        self.rows, self.cols = rows, cols
        self.cells = [[None for _ in range(cols)] for _ in range(rows)]
        self.visits = [[0] * cols for _ in range(rows)]

    def locate(self, shape):
        with torch.no_grad():
            w, h = shape.std(dim=(0, 1)).tolist()
        r = min(self.rows - 1, int(w * 4))
        c = min(self.cols - 1, int(h * 4))
        return r, c

    def submit(self, shape, fitness, step):
        r, c = self.locate(shape)
        self.visits[r][c] += 1
        self.cells[r][c] = {"shape": shape, "fitness": fitness, "step": step}
        return r, c

    def coverage(self):
        return sum(cell is not None for row in self.cells for cell in row) / (self.rows * self.cols)

    def elites(self):
        return [cell for row in self.cells for cell in row if cell is not None]


def target_shapes(z, angles):
    radius = 0.3 + torch.sigmoid(z[:, :2])
    circle = torch.stack([angles.cos(), angles.sin()], dim=-1)
    return circle.unsqueeze(0) * radius.unsqueeze(1)


def main():
    torch.manual_seed(19)
    angles = torch.linspace(0, 6.28, 16)
    dec = Decoder()
    opt = torch.optim.Adam(dec.parameters(), lr=3e-3)
    archive = Archive(ROWS, COLS)
    for step in range(600):
        stretch = 0.5 + 2.5 * torch.rand(1, 4)
        z = torch.randn(24, 4) * stretch
        shape = dec(z)
        loss = (shape - target_shapes(z, angles)).pow(2).sum(-1).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        archive.submit(shape, loss, step)
        if (step + 1) % 100 == 0:
            elites = archive.elites()
            best = min(elites, key=lambda e: e["fitness"].item())
            print(f"{step + 1}: coverage {archive.coverage():.2f} best {best['fitness'].item():.4f} from step {best['step']}")


if __name__ == "__main__":
    main()
