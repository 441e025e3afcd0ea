# gradwatch-corpus: kind=none
"""Double DQN with prioritised replay for a single elevator serving six floors."""
import random
from collections import deque

import numpy as np
import torch

from building import Elevator
from learner import Learner
from replay import PrioritisedReplay


def epsilon(t, start=1.0, end=0.05, decay=400):
    return end + (start - end) * np.exp(-t / decay)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(4)
    np.random.seed(4)
    random.seed(4)
    env = Elevator(floors=6)
    learner = Learner(env.obs_dim, env.n_actions)
    replay = PrioritisedReplay(2000)
    recent_loss, recent_q, returns = deque(maxlen=100), deque(maxlen=100), []
    obs, ep_ret = env.reset(), 0.0
    for t in range(900):
        action = learner.act(obs, epsilon(t))
        nxt, reward, done = env.step(action)
        replay.push(obs, action, reward, nxt, done)
        obs, ep_ret = nxt, ep_ret + reward
        if done:
            returns.append(ep_ret)
            obs, ep_ret = env.reset(), 0.0
        if len(replay) >= 100:
            batch, idx, weights = replay.sample(32, beta=min(1.0, 0.4 + t / 1500))
            loss, td, q = learner.update(batch, weights)
            replay.reprioritise(idx, td)
            recent_loss.append(loss)
            recent_q.append(q)
        if t % 200 == 199:
            print(f"t={t + 1} return={np.mean(returns[-5:]):.2f} "
                  f"loss={torch.stack(list(recent_loss)).mean():.4f} q={np.mean(recent_q):.3f}")


if __name__ == "__main__":
    main()
