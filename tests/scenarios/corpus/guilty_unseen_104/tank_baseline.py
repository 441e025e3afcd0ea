# gradwatch-corpus: kind=graph-chain
# holder: self.centre | scaler.centre | critic.centre | cb.centre | self.critic.centre | agent.critic.centre
# first-bad: 101
# notice: 5
"""Policy gradient for level control of a draining water tank.

The critic is linear over random Fourier features and predicts the return
relative to a centre which starts to move after a warm-up.
"""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(77)


class Fourier(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.register_buffer("w", 2.0 * torch.randn(d_in, d_out))
        self.register_buffer("b", 6.283 * torch.rand(d_out))

    def forward(self, s):
        return torch.cos(s @ self.w + self.b)


class Tank:
    def __init__(self, n, horizon):
        self.n, self.horizon = n, horizon

    def rollout(self, act):
        level, goal = torch.rand(self.n), torch.rand(self.n)
        for _ in range(self.horizon):
            s = torch.stack((level, goal), -1)
            a = act(s)
            level = (level * 0.97 + 0.1 * a.clamp(-1, 1)).clamp(0, 1)
            yield s, a, -(level - goal).abs()


class Critic(nn.Module):
    def __init__(self, feats):
        super().__init__()
        self.head = nn.Linear(feats, 1)
        self.centre = torch.zeros(())

    def forward(self, phi):
        return self.centre + self.head(phi).squeeze(-1)


class Callback:
    def on_update_end(self, agent, step, values):
        pass


class MovingCentre(Callback):
    def __init__(self, warmup=100, rho=0.98):
        self.warmup, self.rho = warmup, rho

    def on_update_end(self, agent, step, values):
        if step < self.warmup:
            return
        c = agent.critic.centre
        agent.critic.centre = torch.lerp(c, values.mean(), 1 - self.rho)  # <- culprit


class Printer(Callback):
    def on_update_end(self, agent, step, values):
        if step % 50 == 0:
            print(f"update {step:3d}  value {values.detach().mean():+.3f}  spread {agent.log_std.exp().item():.3f}")


class Agent:
    def __init__(self, callbacks, feats=32):
        self.phi = Fourier(2, feats)
        self.actor = nn.Linear(feats, 1)
        self.log_std = nn.Parameter(torch.tensor(-0.7))
        self.critic = Critic(feats)
        self.opt = torch.optim.RMSprop(
            [*self.actor.parameters(), self.log_std, *self.critic.parameters()], lr=3e-3)
        self.callbacks = callbacks

    @torch.no_grad()
    def act(self, s):
        mean = self.actor(self.phi(s)).squeeze(-1)
        return mean + self.log_std.exp() * torch.randn_like(mean)

    def update(self, step, env, gamma=0.9):
        s, a, r = map(torch.stack, zip(*env.rollout(self.act)))
        ret = torch.zeros_like(r)
        acc = torch.zeros(env.n)
        for t in reversed(range(env.horizon)):
            acc = r[t] + gamma * acc
            ret[t] = acc
        phi = self.phi(s.flatten(0, 1))
        values = self.critic(phi)
        adv = ret.flatten() - values.detach()
        dist = torch.distributions.Normal(self.actor(phi).squeeze(-1), self.log_std.exp())
        pg = -(dist.log_prob(a.flatten()) * adv).mean()
        vf = nn.functional.mse_loss(values, ret.flatten())
        self.opt.zero_grad()
        pg.backward()
        vf.backward(retain_graph=True)
        self.opt.step()
        for cb in self.callbacks:
            cb.on_update_end(self, step, values)  # <- culprit


agent = Agent([MovingCentre(), Printer()])
tank = Tank(n=16, horizon=6)
for step in range(250):
    agent.update(step, tank)
