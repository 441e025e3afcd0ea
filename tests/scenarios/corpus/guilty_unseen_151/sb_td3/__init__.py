from .td3 import TD3
