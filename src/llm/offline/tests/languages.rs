//! Questions in languages other than English are answered by what was said in them.

use super::*;

#[test]
fn what_was_just_said_is_quoted_in_any_script() {
    for (said, question) in [
        (
            "リフレッシュトークンは15分で期限切れになります。",
            "リフレッシュトークンについて何が分かりましたか?",
        ),
        ("Токен обновления истекает через 15 минут.", "Что мы выяснили про токены обновления?"),
        ("刷新令牌十五分钟后过期。", "刷新令牌怎么样？"),
        ("리프레시 토큰은 15분 뒤에 만료됩니다.", "리프레시 토큰에 대해 뭐라고 했지?"),
        ("กุญแจอยู่ใต้กระถางต้นไม้", "กุญแจอยู่ที่ไหน?"),
    ] {
        let said: &'static [&'static str] = Vec::leak(vec![said, "x"]);
        let answer = Given { said, ..NOTHING }.answer(question);
        assert!(answer.contains(said[0].trim_end_matches(['.', '。'])), "{question}: {answer}");
    }
}

#[test]
fn what_was_found_in_another_script_answers() {
    let found = json!({ "query": "x", "results": [
        {"id": "x", "summary": "台所のタイルは灰色です。", "status": "concluded"},
        {"id": "token", "summary": "リフレッシュトークンは15分で期限切れです。", "status": "concluded"},
    ]});
    let answers =
        NOTHING.answer_after("リフレッシュトークンの期限は?", std::slice::from_ref(&found));
    assert!(answers[1].contains("15分"), "{}", answers[1]);
    let answers = NOTHING.answer_after("エッフェル塔の高さは何メートルですか?", &[found]);
    assert_eq!(answers[1], reply::NOTHING_FOUND);
}
