# gradwatch-corpus: kind=none
"""n-step TD value learning for a harbour crane with a recurrent critic.

The critic's memory runs through the whole shift; its values wait in the window until the
n-step target is complete, the state is cut where the window closes.
"""
import torch

from critic import RecurrentCritic
from crane import Crane
from window import NStepWindow


def train(updates=320, n=6):
    torch.set_num_threads(1)
    torch.manual_seed(23)
    crane = Crane()
    critic = RecurrentCritic(crane.n_obs, 10)
    opt = torch.optim.Adam(critic.parameters(), lr=4e-3)
    window = NStepWindow(n, gamma=0.9)
    hidden, obs = critic.start(), crane.reset()
    trace = []
    while len(trace) < updates:
        value, hidden = critic(obs, hidden)
        obs, reward = crane.step()
        window.push(value, reward)
        if window.full:
            with torch.no_grad():
                bootstrap, _ = critic(obs, hidden)
            loss = window.close(bootstrap)
            opt.zero_grad()
            loss.backward()
            opt.step()
            hidden = critic.cut(hidden)
            trace.append(loss.detach())
            if len(trace) % 64 == 0:
                print(len(trace), "td loss", round(torch.stack(trace[-64:]).mean().item(), 4))


if __name__ == "__main__":
    train()
