# gradwatch-corpus: kind=none
# about: the critic learns at every step of the environment, by its own optimizer; the actor's
# about: log-probabilities are kept, unused, until the episode ends up to three hundred steps
# about: later
import torch
import torch.nn as nn
from parts.cartpole import CartPole
from parts.pace import ITERATIONS
from torch.distributions import Categorical


def mlp(n_out):
    return nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, n_out))


class Learner:
    def __init__(self, gamma=0.98):
        self.actor, self.critic = mlp(2), mlp(1)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=5e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=5e-3)
        self.gamma = gamma
        self.episode = []

    def act(self, obs):
        dist = Categorical(logits=self.actor(obs))
        action = dist.sample()
        self.episode.append([dist.log_prob(action), None])
        return action.item()

    def learn_value(self, obs, reward, following, fell):
        with torch.no_grad():
            target = reward + (0.0 if fell else self.gamma * self.critic(following))
        delta = target - self.critic(obs)
        self.critic_opt.zero_grad()
        delta.pow(2).sum().backward()
        self.critic_opt.step()
        self.episode[-1][1] = delta.item()

    def learn_policy(self):
        loss = -sum(log_prob * delta for log_prob, delta in self.episode) / len(self.episode)
        self.actor_opt.zero_grad()
        loss.backward()
        self.actor_opt.step()
        self.episode.clear()
        return loss.item()


def main():
    torch.manual_seed(0)
    env, learner = CartPole(seed=5), Learner()
    steps = episode = 0
    while steps < 7 * ITERATIONS:
        obs, done, length = torch.tensor(env.reset()), False, 0
        while not done:
            following, reward, fell, over = env.step(learner.act(obs))
            following = torch.tensor(following)
            learner.learn_value(obs, reward, following, fell)
            obs, done, length = following, fell or over, length + 1
        loss = learner.learn_policy()
        steps += length
        if episode % 10 == 0:
            print(f"episode {episode}: length {length} loss {loss:.6f}")
        episode += 1


if __name__ == "__main__":
    main()
