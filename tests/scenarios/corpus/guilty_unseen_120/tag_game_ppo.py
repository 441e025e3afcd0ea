# gradwatch-corpus: kind=second-backward
# holder: roll.logp | roll["logp"] | old_logp | batch.logp | self.logp
# first-bad: 41
# notice: 0
import torch
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(31)

BOARD = 7
MOVES = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0]])


class Chase:
    """n boards at once: catch a runner that moves at random."""

    def __init__(self, n):
        self.n = n
        self.me = torch.randint(0, BOARD, (n, 2))
        self.it = torch.randint(0, BOARD, (n, 2))

    def obs(self):
        d = (self.it - self.me).float() / BOARD
        return torch.cat([d, self.me.float() / BOARD], 1)

    def act(self, a):
        before = (self.it - self.me).abs().sum(1)
        self.me = (self.me + MOVES[a]).clamp(0, BOARD - 1)
        after = (self.it - self.me).abs().sum(1)
        self.it = (self.it + MOVES[torch.randint(0, 4, (self.n,))]).clamp(0, BOARD - 1)
        hit = after == 0
        self.it[hit] = torch.randint(0, BOARD, (int(hit.sum()), 2))
        return (before - after).float() * 0.1 + hit.float()


class Brain(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(4, 24), torch.nn.Tanh())
        self.pi = torch.nn.Linear(24, 4)
        self.v = torch.nn.Linear(24, 1)

    def forward(self, o):
        z = self.body(o)
        return Categorical(logits=self.pi(z)), self.v(z).squeeze(-1)


class Roll:
    def __init__(self):
        self.obs, self.act, self.rew = [], [], []

    def finish(self, brain, gamma=0.9):
        self.obs = torch.stack(self.obs)
        self.act = torch.stack(self.act)
        dist, value = brain(self.obs)
        self.logp = dist.log_prob(self.act)  # <- culprit
        ret, out = torch.zeros(self.obs.shape[1]), []
        for r in reversed(self.rew):
            ret = r + gamma * ret
            out.append(ret)
        self.ret = torch.stack(out[::-1])
        adv = self.ret - value.detach()
        self.adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        return self


def play(env, brain, horizon=8):
    roll = Roll()
    for _ in range(horizon):
        o = env.obs()
        with torch.no_grad():
            a = brain(o)[0].sample()
        roll.obs.append(o)
        roll.act.append(a)
        roll.rew.append(env.act(a))
    return roll.finish(brain)


def surrogate(brain, roll, clip=0.2):
    dist, value = brain(roll.obs)
    ratio = (dist.log_prob(roll.act) - roll.logp).exp()
    gain = torch.min(ratio * roll.adv, ratio.clamp(1 - clip, 1 + clip) * roll.adv).mean()
    return -gain + 0.5 * (value - roll.ret).pow(2).mean() - 0.01 * dist.entropy().mean()


def passes(round_no):
    return 1 if round_no < 40 else 4


brain = Brain()
opt = torch.optim.Adam(brain.parameters(), lr=3e-3)
env = Chase(6)
score = 0.0
for round_no in range(200):
    roll = play(env, brain)
    for _ in range(passes(round_no)):
        loss = surrogate(brain, roll)
        opt.zero_grad()
        loss.backward()
        opt.step()
    score = 0.9 * score + 0.1 * torch.stack(roll.rew).mean().item()
    if round_no % 10 == 9:
        print(f"round {round_no + 1}: reward {score:+.3f}")
