# gradwatch-corpus: kind=second-backward
# holder: self.states | self.states[stream_id] | learner.tracker.states | self.tracker.states
# first-bad: 3
"""Live speaker-turn detection: several calls are served in turn and the model learns as they go."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class LiveConfig:
    streams: int = 3
    mel: int = 24
    hidden: int = 40
    chunk: int = 20
    chunks: int = 120
    lr: float = 1e-3


class CallFeed:
    def __init__(self, config):
        self.config = config
        self.voices = torch.randn(config.streams, 2, config.mel)

    def next_chunk(self, stream_id):
        speaker = torch.randint(0, 2, (self.config.chunk // 5,)).repeat_interleave(5)
        mel = self.voices[stream_id, speaker] + 0.5 * torch.randn(self.config.chunk, self.config.mel)
        turn = torch.zeros(self.config.chunk)
        turn[1:] = (speaker[1:] != speaker[:-1]).float()
        return mel.unsqueeze(0), turn.unsqueeze(0)


class TurnDetector(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.lstm = nn.LSTM(config.mel, config.hidden, batch_first=True)
        self.turn = nn.Linear(config.hidden, 1)

    def forward(self, mel, state):
        hidden, state = self.lstm(mel, state)
        return self.turn(hidden).squeeze(-1), state


class StreamTracker:
    def __init__(self, config):
        self.hidden = config.hidden
        self.states = {}

    def state_of(self, stream_id):
        if stream_id not in self.states:
            blank = torch.zeros(1, 1, self.hidden)
            self.states[stream_id] = (blank, blank.clone())
        return self.states[stream_id]  # <- culprit

    def keep(self, stream_id, state):
        self.states[stream_id] = state  # <- culprit


class LiveLearner:
    def __init__(self, config):
        self.detector = TurnDetector(config)
        self.tracker = StreamTracker(config)
        self.criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(5.0))
        self.optimizer = torch.optim.Adam(self.detector.parameters(), lr=config.lr)

    def serve(self, stream_id, mel, turn):
        state = self.tracker.state_of(stream_id)
        logits, state = self.detector(mel, state)
        self.tracker.keep(stream_id, state)  # <- culprit
        loss = self.criterion(logits, turn)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main():
    torch.manual_seed(13)
    config = LiveConfig()
    feed = CallFeed(config)
    learner = LiveLearner(config)
    for number in range(config.chunks):
        stream_id = number % config.streams
        mel, turn = feed.next_chunk(stream_id)
        loss = learner.serve(stream_id, mel, turn)
        if number % 15 == 0:
            print(f"chunk {number:3d} stream {stream_id} loss {loss:.4f}")


if __name__ == "__main__":
    main()
