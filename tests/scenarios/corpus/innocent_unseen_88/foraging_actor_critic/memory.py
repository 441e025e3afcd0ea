import queue
import random
import threading

import torch


class Rollout:
    """There is one ant, so the class itself is the storage."""
    reward, logp, entropy, value = [], [], [], []

    @classmethod
    def push(cls, r, logp, entropy, value):
        cls.reward.append(r)
        cls.logp.append(logp)
        cls.entropy.append(entropy)
        cls.value.append(value)

    @classmethod
    def clear(cls):
        for col in (cls.reward, cls.logp, cls.entropy, cls.value):
            del col[:]

    @classmethod
    def returns(cls, bootstrap, gamma=0.95):
        out, R = [], bootstrap
        for r in reversed(cls.reward):
            R = r + gamma * R
            out.insert(0, R)
        return torch.stack(out)


class Diary:
    def __init__(self, size):
        self.size, self.pages, self.at = size, [], 0

    def write(self, obs, reward):
        page = (obs, reward)
        if len(self.pages) < self.size:
            self.pages.append(page)
        else:
            self.pages[self.at % self.size] = page
        self.at += 1

    def __len__(self):
        return len(self.pages)

    def sample(self, n):
        o, r = zip(*random.sample(self.pages, n))
        return torch.stack(o), torch.tensor(r)


def watcher():
    """A thread that keeps the log of the run; returns (tell, stop)."""
    box, log = queue.Queue(), []

    def loop():
        for item in iter(box.get, None):
            log.append(item)

    th = threading.Thread(target=loop, daemon=True)
    th.start()

    def tell(*item):
        box.put(item)

    def stop():
        box.put(None)
        th.join()
        return log

    return tell, stop
