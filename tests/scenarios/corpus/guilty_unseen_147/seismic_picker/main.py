# gradwatch-corpus: kind=second-backward
# holder: self._pending | window._pending | campaign.window._pending
# first-bad: 3
# notice: 0
import torch

from campaign import Campaign
from waveforms import WaveformSet

torch.set_num_threads(1)
torch.manual_seed(17)

campaign = Campaign(WaveformSet(events=30, samples=32), micro=3, window=4)

if __name__ == "__main__":
    campaign.run(epochs=30)
