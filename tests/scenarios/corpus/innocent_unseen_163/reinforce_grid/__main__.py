# gradwatch-corpus: kind=none
from collections import deque

import torch

from .grid import Grid
from .policy import Policy

torch.set_num_threads(1)


def finish_episode(policy, opt, gamma, baseline):
    returns, run = deque(), 0.0
    for r in reversed(policy.rewards):
        run = r + gamma * run
        returns.appendleft(run)
    returns = torch.tensor(list(returns))
    loss = -(torch.stack(policy.saved_log_probs) * (returns - baseline)).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    del policy.rewards[:]
    del policy.saved_log_probs[:]
    return returns[0].item()


def main():
    torch.manual_seed(543)
    env = Grid()
    policy = Policy(2 * env.n, 4)
    opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
    recent = deque(maxlen=30)
    baseline = 0.0
    for episode in range(150):
        s, done = env.reset(), False
        while not done:
            s, r, done = env.step(policy.select(s))
            policy.rewards.append(r)
        total = sum(policy.rewards)
        ret = finish_episode(policy, opt, 0.97, baseline)
        baseline = 0.95 * baseline + 0.05 * ret
        recent.append(total)
        if episode % 25 == 0:
            print(f"episode {episode} last {total:.2f} average {sum(recent) / len(recent):.2f}")


if __name__ == "__main__":
    main()
