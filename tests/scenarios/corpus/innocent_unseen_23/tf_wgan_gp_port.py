# gradwatch-corpus: kind=none
"""WGAN-GP with an auxiliary classifier, ported from a Keras custom train_step
(tf.GradientTape(persistent=True))."""
import numpy as np
import torch
from torch import nn

LATENT, N_CLASSES, DIM = 16, 6, 2
tf_like_seed = 1
np.random.seed(tf_like_seed)
torch.manual_seed(tf_like_seed)


def ring_batch(n):
    k = np.random.randint(0, N_CLASSES, n)
    a = 2 * np.pi * k / N_CLASSES
    pts = np.stack([np.cos(a), np.sin(a)], 1) * 2 + 0.05 * np.random.randn(n, DIM)
    return torch.as_tensor(pts, dtype=torch.float32), torch.as_tensor(k)


def dense_stack(units, act):
    layers = []
    for a, b in zip(units[:-1], units[1:]):
        layers += [nn.Linear(a, b), act()]
    return layers


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(*dense_stack([DIM, 128, 128], nn.SiLU))
        self.score = nn.Linear(128, 1)
        self.label = nn.Linear(128, N_CLASSES)

    def forward(self, x):
        h = self.body(x)
        return self.score(h), self.label(h)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(N_CLASSES, 8)
        self.net = nn.Sequential(*dense_stack([LATENT + 8, 128, 128], nn.ReLU), nn.Linear(128, DIM))

    def forward(self, z, k):
        return self.net(torch.cat([z, self.emb(k)], 1))


class WGAN:
    def __init__(self, critic_steps=3, gp_weight=10.0):
        self.critic, self.generator = Critic(), Generator()
        self.critic_steps, self.gp_weight = critic_steps, gp_weight
        self.metrics = {"d": [], "g": [], "gp": [], "cls": []}

    def compile(self, d_optimizer, g_optimizer):
        self.d_optimizer, self.g_optimizer = d_optimizer, g_optimizer

    def gradient_penalty(self, real, fake):
        alpha = torch.rand(len(real), 1)
        mixed = (real + alpha * (fake - real)).requires_grad_(True)
        score, _ = self.critic(mixed)
        grads = torch.autograd.grad(score.sum(), mixed, create_graph=True)[0]
        return ((grads.norm(2, dim=1) - 1.0) ** 2).mean()

    def train_critic(self, real, k):
        with torch.no_grad():
            fake = self.generator(torch.randn(len(real), LATENT), k)
        self.d_optimizer.zero_grad()
        s_real, l_real = self.critic(real)
        s_fake, _ = self.critic(fake)
        gp = self.gradient_penalty(real, fake)
        d_loss = s_fake.mean() - s_real.mean() + self.gp_weight * gp
        cls = nn.functional.cross_entropy(l_real, k)
        # persistent tape: two gradients out of one forward pass
        d_loss.backward(retain_graph=True)
        cls.backward()
        self.d_optimizer.step()
        self.log(d=d_loss, gp=gp, cls=cls)

    def train_generator(self, n, k):
        self.critic.requires_grad_(False)
        score, label = self.critic(self.generator(torch.randn(n, LATENT), k))
        g_loss = -score.mean() + nn.functional.cross_entropy(label, k)
        self.g_optimizer.zero_grad()
        g_loss.backward()
        self.g_optimizer.step()
        self.critic.requires_grad_(True)
        self.log(g=g_loss)

    def log(self, **values):
        for name, value in values.items():
            self.metrics[name].append(value.detach().clone())

    def train_step(self, n):
        for _ in range(self.critic_steps):
            real, k = ring_batch(n)
            self.train_critic(real, k)
        self.train_generator(n, torch.randint(N_CLASSES, (n,)))

    def fit(self, steps, batch_size, on_epoch_end=None, epoch=25):
        for s in range(1, steps + 1):
            self.train_step(batch_size)
            if s % epoch == 0:
                text = " ".join("%s %.3f" % (n, torch.stack(v[-epoch:]).mean()) for n, v in self.metrics.items())
                print("step %d: %s" % (s, text))
                if on_epoch_end:
                    on_epoch_end(self)


class ModeCounter:
    def __init__(self, n=500):
        self.z, self.k = torch.randn(n, LATENT), torch.arange(n) % N_CLASSES
        self.snapshots = []

    def __call__(self, gan):
        with torch.no_grad():
            x = gan.generator(self.z, self.k)
        self.snapshots.append(x)
        ang = torch.atan2(x[:, 1], x[:, 0])
        print("   modes hit:", torch.unique((ang * N_CLASSES / (2 * np.pi)).round() % N_CLASSES).numel())


if __name__ == "__main__":
    gan = WGAN()
    gan.compile(torch.optim.Adam(gan.critic.parameters(), 1e-3, betas=(0.5, 0.9)),
                torch.optim.Adam(gan.generator.parameters(), 5e-4, betas=(0.5, 0.9)))
    gan.fit(100, 256, ModeCounter())
