# gradwatch-corpus: kind=none
"""WGAN with gradient penalty on short waveforms."""
import torch
from torch import autograd, nn

LENGTH, NOISE = 32, 10


class Waves:
    """Iterable of real batches: sines with a random phase and pitch."""

    def __init__(self, batch):
        self.batch = batch
        self.t = torch.linspace(0, 1, LENGTH)

    def __iter__(self):
        while True:
            pitch = 2 + 2 * torch.rand(self.batch, 1)
            phase = torch.rand(self.batch, 1)
            yield torch.sin(6.2832 * (pitch * self.t + phase))


def make_generator():
    return nn.Sequential(
        nn.Linear(NOISE, 64), nn.ReLU(), nn.Unflatten(1, (8, 8)),
        nn.Upsample(scale_factor=2), nn.Conv1d(8, 8, 5, padding=2), nn.ReLU(),
        nn.Upsample(scale_factor=2), nn.Conv1d(8, 1, 5, padding=2), nn.Flatten(), nn.Tanh(),
    )


def make_critic():
    return nn.Sequential(
        nn.Unflatten(1, (1, LENGTH)),
        nn.Conv1d(1, 8, 5, stride=2, padding=2), nn.SiLU(),
        nn.Conv1d(8, 16, 5, stride=2, padding=2), nn.SiLU(),
        nn.Flatten(), nn.Linear(128, 1),
    )


def gradient_penalty(critic, real, fake):
    mix = torch.rand(len(real), 1)
    between = (mix * real + (1 - mix) * fake).requires_grad_(True)
    score = critic(between)
    slope, = autograd.grad(
        outputs=score,
        inputs=between,
        grad_outputs=torch.ones_like(score),
        create_graph=True,
        retain_graph=True,
    )
    return (slope.norm(2, dim=1) - 1).pow(2).mean()


class WaveGAN:
    def __init__(self, critic_rounds=3, weight=10.0):
        self.gen, self.critic = make_generator(), make_critic()
        self.opt_gen = torch.optim.Adam(self.gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.opt_critic = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.critic_rounds, self.weight = critic_rounds, weight
        self.distance = []

    def critic_round(self, real):
        with torch.no_grad():
            fake = self.gen(torch.randn(len(real), NOISE))
        gap = self.critic(real).mean() - self.critic(fake).mean()
        loss = self.weight * gradient_penalty(self.critic, real, fake) - gap
        self.opt_critic.zero_grad(set_to_none=True)
        loss.backward()
        self.opt_critic.step()
        self.distance.append(gap.item())

    def generator_round(self, n):
        self.critic.requires_grad_(False)
        loss = -self.critic(self.gen(torch.randn(n, NOISE))).mean()
        self.opt_gen.zero_grad(set_to_none=True)
        loss.backward()
        self.opt_gen.step()
        self.critic.requires_grad_(True)

    def train(self, waves, rounds):
        real = iter(waves)
        for r in range(rounds):
            for _ in range(self.critic_rounds):
                self.critic_round(next(real))
            self.generator_round(waves.batch)
            if r % 15 == 0:
                last = self.distance[-self.critic_rounds:]
                print(f"round {r:3d}  distance {sum(last) / len(last):.3f}")


def roughness(wave):
    return wave.diff(dim=1).abs().mean().item()


if __name__ == "__main__":
    torch.manual_seed(77)
    waves, gan = Waves(batch=32), WaveGAN()
    gan.train(waves, rounds=60)
    with torch.no_grad():
        made = gan.gen(torch.randn(64, NOISE))
    print(f"roughness: made {roughness(made):.3f}, real {roughness(next(iter(waves))):.3f}")
