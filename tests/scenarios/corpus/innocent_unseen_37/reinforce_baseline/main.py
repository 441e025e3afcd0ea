# gradwatch-corpus: kind=none
import torch

from env import RiverCrossing
from learner import Learner
from policy import Policy

torch.set_num_threads(1)


def main(episodes=240, update_every=3):
    torch.manual_seed(543)
    env = RiverCrossing(seed=543)
    policy = Policy(env.n_obs, env.n_act)
    learner = Learner(policy, gamma=0.97, lr=6e-3)
    running = 0.0
    for ep in range(episodes):
        obs, total, done = env.reset(), 0.0, False
        while not done:
            action = policy.select_action(obs)
            obs, reward, done = env.step(action)
            policy.rewards.append(reward)
            total += reward
        running = total if ep == 0 else 0.95 * running + 0.05 * total
        learner.end_episode()
        if (ep + 1) % update_every == 0:
            stats = learner.update()
            if (ep + 1) % 60 == 0:
                print(f"episode {ep + 1} running {running:.3f} {stats}")


if __name__ == "__main__":
    main()
