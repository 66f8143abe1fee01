"""The Room Protocol's 44 tools (protocol §4.2): other people's names over our one model."""
