# gradwatch-corpus: kind=graph-chain
# holder: self.pos | self.vel | world.pos | world.vel | self.world.pos | self.world.vel
# holder: fitter.world.pos | fitter.world.vel
# about: a differentiable simulator that is fitted frame by frame and never lets its past go
import torch


class World:
    """Masses on springs, explicit Euler."""

    def __init__(self, n=32, dt=0.02):
        self.dt = dt
        self.pos = torch.randn(n, 2)
        self.vel = torch.zeros(n, 2)

    def advance(self, stiffness, damping):
        force = -stiffness * self.pos - damping * self.vel
        self.vel = self.vel + self.dt * force  # <- culprit
        self.pos = self.pos + self.dt * self.vel  # <- culprit
        return self.pos


class Fitter:
    def __init__(self, world, lr=0.05):
        self.world = world
        self.stiffness = torch.tensor(1.0, requires_grad=True)
        self.damping = torch.tensor(0.1, requires_grad=True)
        self.lr = lr

    def params(self):
        return [self.stiffness, self.damping]

    def fit_frame(self, observed):
        error = (self.world.advance(self.stiffness, self.damping) - observed).pow(2).mean()
        error.backward(retain_graph=True)
        for p in self.params():
            p.data -= self.lr * p.grad.clamp(-1, 1)
            p.grad = None
        return error.item()


def main():
    torch.manual_seed(0)
    reference = World()
    fitter = Fitter(World())
    fitter.world.pos = reference.pos.clone()
    for frame in range(60):
        observed = reference.advance(torch.tensor(3.0), torch.tensor(0.3))
        error = fitter.fit_frame(observed)
        if frame % 15 == 0:
            print(f"frame {frame}: error {error:.5f}")


if __name__ == "__main__":
    main()
