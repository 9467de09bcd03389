//! Details in languages whose words the finders do not know.

use super::*;

fn told(log: &str) -> Vec<String> {
    extract([log]).into_iter().map(|one| format!("{} {}", one.kind, one.text)).collect()
}

#[test]
fn figures_beside_letters_of_any_script_are_told_as_they_were_said() {
    for (log, expected) in [
        ("待ち時間は３０秒、読み取りは12.5秒にして。", vec!["number ３０秒", "number 12.5秒"]),
        (
            "ポート8443番、メモリ512MB、割引15%です。",
            vec!["number 8443", "number 512MB", "number 15%"],
        ),
        (
            "締め切りは令和8年5月12日の午後3時半です。",
            vec!["date 令和8年5月12日", "date 午後3時半"],
        ),
        ("会議は3時間、14時30分から。", vec!["number 3時間", "date 14時30分"]),
        (
            "预算是一百五十万元，最多重试7次，十分好，第3次。",
            vec!["number 一百五十万元", "number 7次"],
        ),
        ("覆盖率百分之八十七,提出3点意见", vec!["number 百分之八十七"]),
        (
            "연결은 30초, 예산은 150만 원, 포트는 8443번",
            vec!["number 30초", "number 150만 원", "number 8443"],
        ),
        ("마감은 2026년 5월 12일 오후 3시예요", vec!["date 2026년 5월 12일 오후 3시"]),
        (
            "المهلة ١٢٫٥ ثانية والنسبة ٣٫٥٪ في ١٢ مايو ٢٠٢٦",
            vec!["number ١٢٫٥ ثانية", "number ٣٫٥٪", "date ١٢ مايو ٢٠٢٦"],
        ),
        ("समय ३० सेकंड, बजट 12,50,000 रुपये", vec!["number ३० सेकंड", "number 12,50,000 रुपये"]),
        (
            "หมดเวลา 30 วินาที งบ ๑๒,๐๐๐ บาท ส่ง 12 พฤษภาคม 2569",
            vec!["number 30 วินาที", "number ๑๒,๐๐๐ บาท", "date 12 พฤษภาคม 2569"],
        ),
        ("Limit to 30 sekund do 12 maja 2026", vec!["number 30 sekund", "date 12 maja 2026"]),
        ("Oran %3,5 ve 4 dakika, `%20` ve a%5", vec!["number %3,5", "number 4 dakika"]),
        (
            "Hạn ngày 12 tháng 5 năm 2026, chờ 30 giây",
            vec!["date 12 tháng 5 năm 2026", "number 30 giây"],
        ),
        (
            "Не больше 7 попыток, 4 минуты 20 секунд, в 2026 года",
            vec!["number 7 попыток", "number 4 минуты 20 секунд"],
        ),
    ] {
        assert_eq!(told(log), expected, "{log}");
    }
}

#[test]
fn words_that_begin_as_units_are_none() {
    for log in
        ["3次元と3分の1", "第二百次", "10周年、3回目", "2분기 3번째 명령", "3 프로젝트", "1.9sn"]
    {
        assert_eq!(told(log), [""; 0], "{log}");
    }
    assert_eq!(told("30초를 4분쯤"), ["number 30초", "number 4분"]);
}

#[test]
fn paths_and_addresses_end_where_a_script_without_spaces_goes_on() {
    for (log, expected) in [
        ("src/config/net.tsを変更", "path src/config/net.ts"),
        ("src/설정/연결.ts를 수정", "path src/설정/연결.ts"),
        ("/tmp/資料2024/v2資料.txtを見て", "path /tmp/資料2024/v2資料.txt"),
        ("https://example.com/docs/api。次に進みます。", "url https://example.com/docs/api"),
        ("バージョンは2.4.1です", "identifier 2.4.1"),
    ] {
        assert_eq!(told(log), [expected], "{log}");
    }
}

#[test]
fn what_a_summary_says_in_other_digits_units_and_languages_is_kept() {
    for (log, summary, kept) in [
        ("読み取りは12.5秒にして", "read timeout 12.5 s", true),
        ("読み取りは12.5秒にして", "read timeout 15 s", false),
        ("予算は150万円", "予算は百五十万円", true),
        ("予算は150万円", "budget ¥1,500,000", true),
        ("会議は5月12日の午後3時", "5月12日15:00に会議", true),
        ("预算150万元", "budget 150,000 CNY", false),
        ("재시도는 7번", "재시도 7회", true),
        ("النسبة ٣٫٥٪", "rate 3.5%", true),
        ("termin 12 maja 2026", "Termin 12.05.2026", true),
        ("termin 12 maja 2026", "Termin 13.05.2026", false),
        ("oran %3,5", "oran yüzde 3,5", true),
        ("Встреча 3 июня 2026, 7 попыток", "3.6.2026, 7 attempts", true),
    ] {
        let report = Report::of(&extract([log]), summary);
        assert_eq!(report.missing.is_empty(), kept, "{log} | {summary} | {report:?}");
        assert!(report.total() > 0, "{log}");
    }
}
