# gradwatch-corpus: kind=second-backward
# holder: old_logprobs | memory.logprobs
# first-bad: 1
# notice: 0
import torch
import torch.nn as nn
from torch.distributions import Categorical
torch.set_num_threads(1)
torch.manual_seed(123)


class Pole:
    """very rough pole on a cart"""

    def reset(self):
        self.s = torch.randn(4) * 0.05
        self.n = 0
        return self.s.tolist()

    def step(self, a):
        x, v, th, w = self.s.tolist()
        f = 1.0 if a else -1.0
        w = w + 0.05 * (9.8 * th - 2 * f)
        v = v + 0.05 * f
        self.s = torch.tensor([x + .05 * v, v, th + .05 * w, w])
        self.n += 1
        done = abs(th) > .4 or self.n > 60
        return self.s.tolist(), 1.0, done


class Memory:
    def __init__(self):
        self.actions, self.states, self.logprobs, self.rewards, self.is_terminals = [], [], [], [], []

    def clear_memory(self):
        del self.actions[:]
        del self.states[:]
        del self.logprobs[:]
        del self.rewards[:]
        del self.is_terminals[:]


class ActorCritic(nn.Module):
    def __init__(self, state_dim, action_dim, n_latent_var):
        super(ActorCritic, self).__init__()
        self.action_layer = nn.Sequential(nn.Linear(state_dim, n_latent_var), nn.Tanh(),
                                          nn.Linear(n_latent_var, action_dim), nn.Softmax(dim=-1))
        self.value_layer = nn.Sequential(nn.Linear(state_dim, n_latent_var), nn.Tanh(), nn.Linear(n_latent_var, 1))

    def act(self, state, memory):
        state = torch.tensor(state)
        dist = Categorical(self.action_layer(state))
        action = dist.sample()
        memory.states.append(state)
        memory.actions.append(action)
        memory.logprobs.append(dist.log_prob(action))  # <- culprit
        return action.item()

    def evaluate(self, state, action):
        dist = Categorical(self.action_layer(state))
        return dist.log_prob(action), torch.squeeze(self.value_layer(state)), dist.entropy()


class PPO:
    def __init__(self, lr=0.002, gamma=0.99, K_epochs=4, eps_clip=0.2):
        self.gamma, self.K_epochs, self.eps_clip = gamma, K_epochs, eps_clip
        self.policy = ActorCritic(4, 2, 16)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=lr)
        self.policy_old = ActorCritic(4, 2, 16)
        self.policy_old.load_state_dict(self.policy.state_dict())
        self.MseLoss = nn.MSELoss()

    def update(self, memory):
        rewards, discounted_reward = [], 0
        for reward, is_terminal in zip(reversed(memory.rewards), reversed(memory.is_terminals)):
            if is_terminal:
                discounted_reward = 0
            discounted_reward = reward + (self.gamma * discounted_reward)
            rewards.insert(0, discounted_reward)
        rewards = torch.tensor(rewards)
        rewards = (rewards - rewards.mean()) / (rewards.std() + 1e-5)

        old_states = torch.stack(memory.states)
        old_actions = torch.stack(memory.actions)
        old_logprobs = torch.stack(memory.logprobs)  # <- culprit

        for _ in range(self.K_epochs):
            logprobs, state_values, dist_entropy = self.policy.evaluate(old_states, old_actions)
            ratios = torch.exp(logprobs - old_logprobs)
            advantages = rewards - state_values.detach()
            surr1 = ratios * advantages
            surr2 = torch.clamp(ratios, 1 - self.eps_clip, 1 + self.eps_clip) * advantages
            loss = -torch.min(surr1, surr2) + 0.5 * self.MseLoss(state_values, rewards) - 0.01 * dist_entropy
            self.optimizer.zero_grad()
            loss.mean().backward()
            self.optimizer.step()
        self.policy_old.load_state_dict(self.policy.state_dict())


def main():
    env, memory, ppo = Pole(), Memory(), PPO()
    timestep = 0
    for i_episode in range(1, 60):
        state = env.reset()
        for t in range(100):
            timestep += 1
            action = ppo.policy_old.act(state, memory)
            state, reward, done = env.step(action)
            memory.rewards.append(reward)
            memory.is_terminals.append(done)
            if timestep % 100 == 0:
                ppo.update(memory)
                memory.clear_memory()
            if done:
                break


if __name__ == '__main__':
    main()
