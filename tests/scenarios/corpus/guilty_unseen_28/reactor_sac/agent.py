import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


class TanhGaussianPolicy(nn.Module):
    def __init__(self, obs_dim, act_dim, hidden):
        super().__init__()
        self.net = mlp(obs_dim, hidden, 2 * act_dim)

    def forward(self, obs):
        mean, log_std = self.net(obs).chunk(2, -1)
        dist = torch.distributions.Normal(mean, log_std.clamp(-5, 2).exp())
        pre = dist.rsample()
        act = torch.tanh(pre)
        log_pi = dist.log_prob(pre) - torch.log(1 - act.pow(2) + 1e-6)
        return act, log_pi.sum(-1, keepdim=True)


class TwinQ(nn.Module):
    def __init__(self, obs_dim, act_dim, hidden):
        super().__init__()
        self.q1 = mlp(obs_dim + act_dim, hidden, 1)
        self.q2 = mlp(obs_dim + act_dim, hidden, 1)

    def forward(self, obs, act):
        x = torch.cat([obs, act], -1)
        return self.q1(x), self.q2(x)


class SACTrainer:
    def __init__(self, obs_dim, act_dim, hidden, discount, lr, alpha, tau):
        self.policy = TanhGaussianPolicy(obs_dim, act_dim, hidden)
        self.qf = TwinQ(obs_dim, act_dim, hidden)
        self.target_qf = copy.deepcopy(self.qf)
        self.policy_optimizer = torch.optim.Adam(self.policy.parameters(), lr=lr)
        self.qf_optimizer = torch.optim.Adam(self.qf.parameters(), lr=lr)
        self.discount, self.alpha, self.tau = discount, alpha, tau

    @torch.no_grad()
    def act(self, obs):
        return self.policy(torch.as_tensor(obs).unsqueeze(0))[0][0].numpy()

    def train(self, batch):
        obs, act = batch['obs'], batch['act']

        # policy loss
        new_act, log_pi = self.policy(obs)
        q_new = torch.min(*self.qf(obs, new_act))  # <- culprit
        policy_loss = (self.alpha * log_pi - q_new).mean()

        # critic loss
        with torch.no_grad():
            next_act, next_log_pi = self.policy(batch['next'])
            target_v = torch.min(*self.target_qf(batch['next'], next_act)) - self.alpha * next_log_pi
            target = batch['rew'] + self.discount * target_v
        q1, q2 = self.qf(obs, act)
        qf_loss = F.mse_loss(q1, target) + F.mse_loss(q2, target)

        # update networks
        self.qf_optimizer.zero_grad()
        qf_loss.backward()
        self.qf_optimizer.step()  # <- culprit

        self.policy_optimizer.zero_grad()
        policy_loss.backward()  # <- culprit
        self.policy_optimizer.step()

        with torch.no_grad():
            for p, tp in zip(self.qf.parameters(), self.target_qf.parameters()):
                tp.lerp_(p, self.tau)
        return {'qf_loss': round(qf_loss.item(), 4), 'policy_loss': round(policy_loss.item(), 4)}
