# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
# One-step distillation of a closed-form flow-matching teacher with an adversarial critic that joins after a warm-up.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(41)

DIM = 2
WARMUP = 20
STEPS = 100


def two_moons(n):
    t = torch.rand(n) * torch.pi
    flip = (torch.rand(n) < 0.5).float()
    x = torch.cos(t) * (1 - 2 * flip) + flip
    y = torch.sin(t) * (1 - 2 * flip) + 0.5 * flip
    return torch.stack([x, y], -1) + 0.05 * torch.randn(n, DIM)


class Velocity(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(DIM + 1, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, DIM)
        )

    def forward(self, x, t):
        return self.net(torch.cat([x, t.expand(len(x), 1)], -1))


class Critic(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(DIM, width), nn.LeakyReLU(0.2), nn.Linear(width, width), nn.LeakyReLU(0.2), nn.Linear(width, 1)
        )

    def forward(self, x):
        return self.net(x).squeeze(-1)


class EmpiricalFlow:
    """Closed-form marginal velocity of the linear path between noise and a finite reference set."""

    def __init__(self, points):
        self.points = points

    def __call__(self, x, t):
        t = t.clamp(max=0.95)
        d2 = (x[:, None] - t * self.points[None]).pow(2).sum(-1)
        w = (-d2 / (2 * (1 - t) ** 2)).softmax(-1)
        return (w @ self.points - x) / (1 - t)


@torch.no_grad()
def integrate(teacher, x, n=6):
    for i in range(n):
        x = x + teacher(x, torch.full((1, 1), i / n)) / n
    return x


class Distiller:
    def __init__(self, teacher):
        self.teacher = teacher
        self.student = Velocity()
        self.critic = Critic()
        self.opt_s = torch.optim.Adam(self.student.parameters(), lr=1e-3)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=2e-3, betas=(0.5, 0.99))

    def one_step(self, z):
        return z + self.student(z, torch.zeros(1, 1))

    def train_step(self, step):
        z = torch.randn(96, DIM)
        fake = self.one_step(z)
        loss_s = F.mse_loss(fake, integrate(self.teacher, z))
        loss_c = None

        if step >= WARMUP:
            real = two_moons(96)
            score_fake = self.critic(fake)  # <- culprit
            loss_s = loss_s - 0.05 * score_fake.mean()

            loss_c = F.relu(1 - self.critic(real)).mean() + F.relu(1 + self.critic(fake.detach())).mean()
            self.opt_c.zero_grad()
            loss_c.backward()
            self.opt_c.step()  # <- culprit

        self.opt_s.zero_grad()
        loss_s.backward()
        self.opt_s.step()
        return loss_s.item(), None if loss_c is None else loss_c.item()


def main():
    distiller = Distiller(EmpiricalFlow(two_moons(256)))
    history = []
    for step in range(STEPS):
        s, c = distiller.train_step(step)
        history.append((step, s, c))
        if step % 10 == 0:
            print(f"{step:3d} student {s:.4f} critic {c if c is None else round(c, 4)}")


if __name__ == "__main__":
    main()
