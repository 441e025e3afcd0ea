# gradwatch-corpus: kind=none
"""Value learning for a swinging crane, with replay over the newest transitions."""
import torch
from torch import nn

from plant import CraneField
from replay import Replay

torch.manual_seed(67)
torch.set_num_threads(1)

STEPS, CRANES, STATE, ACTIONS = 220, 1100, 64, 5


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(STATE, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, ACTIONS))

    def forward(self, state):
        return self.net(state)


class Learner:
    def __init__(self, gamma=0.9):
        self.gamma = gamma
        self.critic, self.slow = Critic(), Critic()
        self.slow.load_state_dict(self.critic.state_dict())
        self.opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    def act(self, state, eps):
        with torch.no_grad():
            best = self.critic(state).argmax(1)
        dice = torch.rand(len(state)) < eps
        return torch.where(dice, torch.randint(0, ACTIONS, best.shape), best)

    def learn(self, state, action, reward, following):
        with torch.no_grad():
            goal = reward + self.gamma * self.slow(following).amax(1)
        value = self.critic(state).gather(1, action[:, None]).squeeze(1)
        loss = nn.functional.smooth_l1_loss(value, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        with torch.no_grad():
            for s, p in zip(self.slow.parameters(), self.critic.parameters()):
                s.lerp_(p, 0.02)
        return loss.item()


def main():
    field, learner = CraneField(CRANES, STATE, ACTIONS), Learner()
    replay = Replay(rounds=24)
    state = field.reset()
    for step in range(STEPS):
        action = learner.act(state, eps=max(0.1, 1 - step / 80))
        following, reward = field.step(state, action)
        replay.push(state, action, reward, following)
        state = following
        loss = learner.learn(*replay.sample(768))
        if step % 50 == 0:
            print(f"step {step:4d} td {loss:.4f} reward {reward.mean().item():.3f} stored {len(replay)}")


if __name__ == "__main__":
    main()
