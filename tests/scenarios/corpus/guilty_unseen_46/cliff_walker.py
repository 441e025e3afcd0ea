# gradwatch-corpus: kind=second-backward
# first-bad: 25
# Advantage actor critic on the cliff world of Sutton & Barto (example 6.6).
# The critic trains alone for some episodes, otherwise the actor chases noise.
import random
import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Categorical

random.seed(0)
torch.manual_seed(0)

ROWS, COLS = 4, 8
GAMMA = 0.97
LR_ACTOR, LR_CRITIC = 3e-3, 1e-2
N_EPISODES = 120
CRITIC_WARMUP = 25
MAX_T = 30
ENT_COEF = 0.01

actor = nn.Sequential(nn.Linear(ROWS * COLS, 32), nn.Tanh(), nn.Linear(32, 4))
critic = nn.Sequential(nn.Linear(ROWS * COLS, 32), nn.Tanh(), nn.Linear(32, 1))
params = [{"params": actor.parameters(), "lr": LR_ACTOR},
          {"params": critic.parameters(), "lr": LR_CRITIC}]
optimizer = optim.Adam(params)


def one_hot(r, c):
    x = torch.zeros(ROWS * COLS)
    x[r * COLS + c] = 1
    return x


def env_step(r, c, a):
    if a == 0:
        r = max(r - 1, 0)
    elif a == 1:
        r = min(r + 1, ROWS - 1)
    elif a == 2:
        c = max(c - 1, 0)
    else:
        c = min(c + 1, COLS - 1)
    if r == ROWS - 1 and 0 < c < COLS - 1:
        return ROWS - 1, 0, -5.0, False
    if r == ROWS - 1 and c == COLS - 1:
        return r, c, 10.0, True
    return r, c, -0.1, False


def rollout():
    r, c = ROWS - 1, 0
    states, actions, rewards = [], [], []
    for t in range(MAX_T):
        s = one_hot(r, c)
        with torch.no_grad():
            a = Categorical(logits=actor(s)).sample().item()
        r, c, rew, done = env_step(r, c, a)
        states.append(s)
        actions.append(a)
        rewards.append(rew)
        if done:
            break
    return torch.stack(states), torch.tensor(actions), rewards


def discounted(rewards, gamma):
    R, out = 0.0, []
    for rew in reversed(rewards):
        R = rew + gamma * R
        out.insert(0, R)
    return torch.tensor(out)


def update(states, actions, rewards, train_actor):
    returns = discounted(rewards, GAMMA)
    values = critic(states).squeeze(-1)
    advantage = returns - values  # <- culprit

    optimizer.zero_grad()
    critic_loss = advantage.pow(2).mean()
    critic_loss.backward()  # <- culprit

    actor_loss = None
    if train_actor:
        dist = Categorical(logits=actor(states))
        log_prob = dist.log_prob(actions)
        actor_loss = -(log_prob * advantage).mean() - ENT_COEF * dist.entropy().mean()  # <- culprit
        actor_loss.backward()  # <- culprit

    nn.utils.clip_grad_norm_(critic.parameters(), 1.0)
    optimizer.step()
    return critic_loss.item(), None if actor_loss is None else actor_loss.item()


scores = []
for episode in range(N_EPISODES):
    s, a, rews = rollout()
    c_loss, a_loss = update(s, a, rews, train_actor=episode >= CRITIC_WARMUP)
    scores.append(sum(rews))
    if episode % 10 == 0:
        recent = scores[-10:]
        print("ep", episode, "mean score %.2f" % (sum(recent) / len(recent)), "critic", round(c_loss, 3),
              "actor", a_loss)
