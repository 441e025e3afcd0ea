# gradwatch-corpus: kind=graph-held
# holder: self.trace | self.trace[i] | replay.trace | replay.trace[i]
# first-bad: 1
import torch

from agent import QAgent
from memory import Replay


class DriftingPoint:
    moves = torch.tensor([[0.1, 0.0], [-0.1, 0.0], [0.0, 0.1], [0.0, -0.1]])

    def __init__(self, gen):
        self.gen = gen
        self.reset()

    def reset(self):
        self.pos = torch.rand(2, generator=self.gen) * 2 - 1
        self.left = 30
        return self.pos

    def step(self, action):
        noise = 0.02 * torch.randn(2, generator=self.gen)
        self.pos = (self.pos + self.moves[action] + noise).clamp(-1.5, 1.5)
        self.left -= 1
        return self.pos, -self.pos.norm(), self.left == 0


def main(steps=450, warmup=200, batch=8):
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(9)
    env = DriftingPoint(gen)
    agent = QAgent(obs_dim=2, actions=4)
    replay = Replay(4000, 2, seed=17)
    replay.begin_audit()
    obs, running = env.reset(), 0.0

    def interact(eps):
        nonlocal obs
        action = agent.act(obs, eps, gen)
        nxt, reward, done = env.step(action)
        replay.add(obs, action, reward, nxt)
        obs = env.reset() if done else nxt

    for _ in range(warmup):
        interact(1.0)
    for step in range(steps):
        interact(max(0.1, 1 - step / 300))
        idx, transition = replay.draw(batch)
        td = agent.td_error(*transition)
        running = 0.98 * running + 0.02 * agent.update(td)
        replay.reprioritize(idx, td)
        replay.audit(idx, td)
        if step % 150 == 0:
            print(f"{step:4d} loss {running:.4f} size {replay.size}")
    print("drift", round(replay.drift(), 4))


if __name__ == "__main__":
    main()
