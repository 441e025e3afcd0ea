from collections import deque


class SlidingUnroll:
    """Replays the last k inputs from the state k steps ago, every step."""

    def __init__(self, net, k):
        self.net = net
        self.k = k
        self.inputs = deque()
        self.states = deque()

    def __len__(self):
        return len(self.inputs)

    def begin(self, state):
        self.inputs.clear()
        self.states.clear()
        self.states.append(state)

    def __call__(self, obs):
        self.inputs.append(obs)
        if len(self.inputs) > self.k:
            self.inputs.popleft()
            self.states.popleft()
        state = self.states[0].detach()
        fresh = [state]
        for x in self.inputs:
            out, state = self.net(x, state)
            fresh.append(state)
        # replace every stored state by its value under the current weights
        self.states = deque(s.detach() for s in fresh)
        return out
