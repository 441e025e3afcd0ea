# gradwatch-corpus: kind=none
import torch
from torch import nn

from world import Replay, WorldModel

torch.set_num_threads(1)
torch.manual_seed(8)

wm = WorldModel()
actor = nn.Sequential(nn.Linear(16, 24), nn.ELU(), nn.Linear(24, 2), nn.Tanh())
critic = nn.Sequential(nn.Linear(16, 24), nn.ELU(), nn.Linear(24, 1))
opt_w = torch.optim.Adam(wm.parameters(), lr=2e-3)
opt_a = torch.optim.Adam(actor.parameters(), lr=1e-3)
opt_c = torch.optim.Adam(critic.parameters(), lr=2e-3)
replay = Replay(60)
A = 0.9 * torch.linalg.qr(torch.randn(6, 6))[0]
B = 0.5 * torch.randn(2, 6)


def interact(T=8, n=4):
    """Roll the real plant with the present actor, noise added."""
    o = torch.randn(n, 6)
    state = torch.zeros(n, 16)
    obs, acts, rews = [], [], []
    with torch.no_grad():
        for _ in range(T):
            a = (actor(state) + 0.3 * torch.randn(n, 2)).clamp(-1, 1)
            o = o @ A + a @ B
            state = wm.gru(torch.cat([torch.tanh(wm.enc(o)), a], -1), state)
            obs.append(o)
            acts.append(a)
            rews.append(-o.pow(2).mean(-1))
    return torch.stack(obs), torch.stack(acts), torch.stack(rews)


def lambda_returns(rew, val, gamma=0.95, lam=0.9):
    ret, out = val[-1], []
    for t in reversed(range(rew.size(0))):
        ret = rew[t] + gamma * ((1 - lam) * val[t + 1] + lam * ret)
        out.append(ret)
    return torch.stack(out[::-1])


stats = []
for it in range(100):
    replay.add(interact())
    obs, acts, rew = replay.sample(3)
    states = wm.observe(obs, acts)
    wloss = wm.loss(states, obs, rew)
    opt_w.zero_grad()
    wloss.backward()
    opt_w.step()

    dream, _ = wm.imagine(actor, states.detach().flatten(0, 1), horizon=min(2 + it // 12, 7))
    rhat = wm.rew(dream[1:]).squeeze(-1)
    values = critic(dream).squeeze(-1)
    rets = lambda_returns(rhat, values)
    aloss = -rets.mean()
    a_grads = torch.autograd.grad(aloss, list(actor.parameters()), retain_graph=True)
    closs = (values[:-1] - rets.detach()).pow(2).mean()
    c_grads = torch.autograd.grad(closs, list(critic.parameters()))
    for opt, net, grads in ((opt_a, actor, a_grads), (opt_c, critic, c_grads)):
        for p, g in zip(net.parameters(), grads):
            p.grad = g
        opt.step()
    stats.append(torch.stack([wloss, aloss, closs]).detach())
    if it % 20 == 0:
        print(it, len(replay.chunks), [round(v, 4) for v in stats[-1].tolist()])
