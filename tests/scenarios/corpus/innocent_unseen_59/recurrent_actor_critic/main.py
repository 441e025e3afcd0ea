# gradwatch-corpus: kind=none
"""Recurrent actor-critic on a memory task; one update per episode."""
import argparse

import torch

from env import CueCorridor
from policy import RecurrentActorCritic
from rollout import Rollout


class Learner:
    def __init__(self, net, lr, gamma, entropy):
        self.net, self.gamma, self.entropy = net, gamma, entropy
        self.opt = torch.optim.RMSprop(net.parameters(), lr=lr)
        self.rollout = Rollout()
        self.memory = net.initial()

    def play(self, env):
        obs, done = env.reset(), False
        self.memory = self.net.initial()
        while not done:
            dist, value, self.memory = self.net(obs, self.memory)
            action = dist.sample()
            obs, reward, done = env.step(action.item())
            self.rollout.record(dist.log_prob(action), value, dist.entropy(), reward)

    def learn(self):
        returns = self.rollout.returns(self.gamma)
        log_probs, values, entropies = self.rollout.stacked()
        advantage = returns - values
        actor = -(log_probs * advantage.detach()).mean()
        loss = actor + 0.5 * advantage.pow(2).mean() - self.entropy * entropies.mean()
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.opt.step()
        reward = self.rollout.total_reward
        self.rollout.clear()
        return loss.item(), reward


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--episodes", type=int, default=180)
    ap.add_argument("--length", type=int, default=7)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(9)
    env = CueCorridor(args.length, seed=10)
    learner = Learner(RecurrentActorCritic(env.n_obs, env.n_actions, 24), 3e-3, 0.95, 0.01)
    rewards = []
    for episode in range(args.episodes):
        learner.play(env)
        loss, reward = learner.learn()
        rewards.append(reward)
        if episode % 30 == 29:
            print(f"episode {episode + 1} loss {loss:+.4f} mean reward {sum(rewards[-30:]) / 30:+.3f}")


if __name__ == "__main__":
    main()
