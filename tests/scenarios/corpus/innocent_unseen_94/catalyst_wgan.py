# gradwatch-corpus: kind=none
# WGAN-GP for small tables of reactor operating points (6 columns), bf16 autocast in
# the forward passes, penalty in fp32.
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(66)

Z, D, B = 8, 6, 48
CRITIC_STEPS = 2


def mlp(i, o, act):
    return nn.Sequential(nn.Linear(i, 32), act(), nn.Linear(32, 32), act(), nn.Linear(32, o))


class PointSource:
    def __init__(self):
        self.centres = torch.randn(3, D)
        self.mix = 0.3 * torch.randn(3, D, D)

    def sample(self, n):
        k = torch.randint(3, (n,))
        eps = torch.randn(n, D, 1)
        return self.centres[k] + (self.mix[k] @ eps).squeeze(-1)


class GanTrainer:
    def __init__(self):
        self.gen = mlp(Z, D, nn.ReLU)
        self.critic = mlp(D, 1, nn.SiLU)
        self.g_opt = torch.optim.Adam(self.gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.c_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.last_fake = None
        self.log = {"critic": [], "penalty": [], "gen": []}

    def autocast(self):
        return torch.autocast("cpu", dtype=torch.bfloat16)

    def penalty(self, real, fake):
        u = torch.rand(len(real), 1)
        x = (u * real + (1 - u) * fake).requires_grad_(True)
        s = self.critic(x)
        (g,) = torch.autograd.grad(s.sum(), x, create_graph=True)
        return (g.norm(dim=1) - 1).square().mean()

    def critic_step(self, real):
        z = torch.randn(len(real), Z)
        with self.autocast():
            fake = self.gen(z)
            gap = self.critic(fake.detach()).mean() - self.critic(real).mean()
        pen = self.penalty(real, fake.detach().float())
        loss = gap.float() + 5.0 * pen
        self.c_opt.zero_grad(set_to_none=True)
        loss.backward()
        self.c_opt.step()
        self.last_fake = fake          # looked at by the report only
        self.log["critic"].append(gap.item())
        self.log["penalty"].append(pen.detach())

    def generator_step(self):
        for p in self.critic.parameters():
            p.requires_grad_(False)
        with self.autocast():
            loss = -self.critic(self.gen(torch.randn(B, Z))).mean()
        self.g_opt.zero_grad(set_to_none=True)
        loss.backward()
        self.g_opt.step()
        for p in self.critic.parameters():
            p.requires_grad_(True)
        self.log["gen"].append(float(loss.detach()))


def main():
    src = PointSource()
    tr = GanTrainer()
    ref = src.sample(2000)
    for it in range(320):
        for _ in range(CRITIC_STEPS):
            tr.critic_step(src.sample(B))
        tr.generator_step()
        if it % 64 == 63:
            pen = torch.stack(tr.log["penalty"][-64:]).mean().item()
            shift = (tr.last_fake.float().mean(0) - ref.mean(0)).norm().item()
            print(f"{it + 1:4d} gap {tr.log['critic'][-1]:+.3f} penalty {pen:.4f} mean shift {shift:.3f}")
    with torch.no_grad():
        out = tr.gen(torch.randn(2000, Z))
    print("column std, real:", ref.std(0).round(decimals=2).tolist())
    print("column std, made:", out.std(0).round(decimals=2).tolist())


if __name__ == "__main__":
    main()
