# gradwatch-corpus: kind=none
import torch
from torch import nn, autograd, optim

torch.manual_seed(2)

SEQ = 24
NOISE = 10


def sample_real(n):
    t = torch.linspace(0, 6.28, SEQ)
    return torch.sin(t * (1 + torch.rand(n, 1)) + 6.28 * torch.rand(n, 1))


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(NOISE, 8 * 6)
        self.up = nn.Sequential(
            nn.ConvTranspose1d(8, 8, 4, 2, 1), nn.ReLU(),
            nn.ConvTranspose1d(8, 1, 4, 2, 1), nn.Tanh(),
        )

    def forward(self, z):
        return self.up(torch.relu(self.fc(z)).view(-1, 8, 6)).squeeze(1)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, 8, 5, 2, 2), nn.LeakyReLU(0.2),
            nn.Conv1d(8, 16, 5, 2, 2), nn.LeakyReLU(0.2),
        )
        self.out = nn.Linear(16 * 6, 1)

    def forward(self, x):
        return self.out(self.conv(x.unsqueeze(1)).flatten(1))


class Trainer:
    def __init__(self, G, D, lr=5e-4, n_critic=3, gp_weight=10):
        self.G, self.D = G, D
        self.G_opt = optim.Adam(G.parameters(), lr=lr, betas=(0.5, 0.9))
        self.D_opt = optim.Adam(D.parameters(), lr=lr, betas=(0.5, 0.9))
        self.losses = {"G": [], "D": [], "GP": [], "gradient_norm": []}
        self.n_critic = n_critic
        self.gp_weight = gp_weight
        self.num_steps = 0

    def _critic_train_iteration(self, data):
        batch_size = data.size(0)
        with torch.no_grad():
            generated_data = self.G(torch.randn(batch_size, NOISE))
        d_real = self.D(data)
        d_generated = self.D(generated_data)
        gradient_penalty = self._gradient_penalty(data, generated_data)
        self.losses["GP"].append(gradient_penalty.item())

        self.D_opt.zero_grad()
        d_loss = d_generated.mean() - d_real.mean() + gradient_penalty
        d_loss.backward()
        self.D_opt.step()
        self.losses["D"].append(d_loss.detach())

    def _generator_train_iteration(self, data):
        self.G_opt.zero_grad()
        d_generated = self.D(self.G(torch.randn(data.size(0), NOISE)))
        g_loss = -d_generated.mean()
        g_loss.backward()
        self.G_opt.step()
        self.losses["G"].append(g_loss.detach())

    def _gradient_penalty(self, real, fake):
        alpha = torch.rand(real.size(0), 1).expand_as(real)
        interpolated = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
        prob = self.D(interpolated)
        gradients = autograd.grad(outputs=prob, inputs=interpolated,
                                  grad_outputs=torch.ones_like(prob),
                                  create_graph=True, retain_graph=True)[0]
        self.losses["gradient_norm"].append(gradients.norm(2, dim=1).mean().item())
        norm = torch.sqrt(torch.sum(gradients ** 2, dim=1) + 1e-12)
        return self.gp_weight * ((norm - 1) ** 2).mean()

    def train(self, iterations, print_every=30):
        for _ in range(iterations):
            self.num_steps += 1
            data = sample_real(32)
            self._critic_train_iteration(data)
            if self.num_steps % self.n_critic == 0:
                self._generator_train_iteration(data)
            if self.num_steps % print_every == 0:
                print("Iteration {}  D: {:.4f}  GP: {:.4f}  Gradient norm: {:.3f}".format(
                    self.num_steps, self.losses["D"][-1], self.losses["GP"][-1],
                    self.losses["gradient_norm"][-1]))


if __name__ == "__main__":
    tr = Trainer(Generator(), Critic())
    tr.train(150)
    print("mean D loss of the last 30: %.4f" % torch.stack(tr.losses["D"][-30:]).mean())
    print("mean G loss: %.4f" % torch.stack(tr.losses["G"]).mean())
