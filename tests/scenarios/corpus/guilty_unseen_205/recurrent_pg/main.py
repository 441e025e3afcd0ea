# gradwatch-corpus: kind=second-backward
# first-bad: 1
import torch

from agent import Agent, RecurrentPolicy


class RecallEnv:
    """Vectorised: the cue seen `delay` steps ago is the rewarded action."""

    def __init__(self, num_envs=16, cues=3, delay=1):
        self.n, self.cues, self.delay = num_envs, cues, delay
        self.queue = [torch.randint(0, cues, (num_envs,)) for _ in range(delay + 1)]

    @property
    def obs_dim(self):
        return self.cues

    def observe(self):
        return torch.nn.functional.one_hot(self.queue[-1], self.cues).float()

    def step(self, action):
        reward = (action == self.queue[0]).float()
        self.queue = self.queue[1:] + [torch.randint(0, self.cues, (self.n,))]
        return self.observe(), reward


class Runner:
    def __init__(self, rollout=5, lr=3e-3):
        self.env = RecallEnv()
        self.policy = RecurrentPolicy(self.env.obs_dim, self.env.cues)
        self.agent = Agent(self.policy, self.env.n)
        self.opt = torch.optim.RMSprop(self.policy.parameters(), lr=lr)
        self.obs = self.env.observe()
        self.rollout = rollout
        self.reward_log = []

    def collect(self):
        total = 0.0
        for _ in range(self.rollout):
            a = self.agent.act(self.obs)
            self.obs, r = self.env.step(a)
            self.agent.rewards.append(r)
            total += r.mean().item()
        self.reward_log.append(total / self.rollout)

    def update(self):
        loss = self.agent.loss()
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
        self.opt.step()
        self.agent.clear()
        return loss.item()

    def learn(self, updates):
        for u in range(updates):
            self.collect()
            loss = self.update()
            if u % 50 == 0:
                recent = self.reward_log[-50:]
                print(f"update {u} loss {loss:.3f} reward {sum(recent) / len(recent):.3f}")


if __name__ == "__main__":
    torch.manual_seed(3)
    Runner().learn(updates=600)
